package dev.perch.report.observe;

import dev.perch.audit.AuditOptions.Moment;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.report.observe.Timeline.Choice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Finds, in one pass over a stream of events, a millisecond that is like most others, and keeps it in full.
 *
 * <p>The stream is cut into milliseconds from its first event on. Of each, the wakeups that begin in it and the changes of CPU are
 * counted. Milliseconds without a wakeup are left out. Chosen is the one whose two counts are nearest to the medians: the smallest
 * |wakeups − median| / max(1, median) + |moves − median| / max(1, median); the earliest of several such.
 *
 * <p>The medians are over all milliseconds with wakeups. To choose from, up to {@value #MOST_KEPT} of these are kept in full, evenly
 * spread: whenever there are more, or they take more than {@value #MOST_INTS} numbers, every second is given up. So the memory does not
 * grow with the stream. If the stream is shorter than a millisecond, all of it is taken. A wakeup begins with its waking record, or with
 * its wakeup record in a stream without the former.
 *
 * <p>Limitation: the medians come from histograms that are exact to three digits.
 */
public final class MillisecondChoice implements SchedEvents {
    static final long LENGTH_NS = 1_000_000;
    static final int MOST_KEPT = 64;
    private static final int MOST_INTS = 1 << 21;

    private final Moment from;
    private final Moment to;
    private final Histogram wakeups = new Histogram(3);
    private final Histogram moves = new Histogram(3);
    private final List<Stretch> kept = new ArrayList<>();
    private Stretch current = new Stretch();
    private int[] running = new int[16];
    private boolean begun;
    private boolean wakingSeen;
    private long fromNs;
    private long toNs;
    private long originNs;
    private long lastNs;
    private long endNs;
    private long all;
    private long stride = 1;

    /**
     * @param from only milliseconds from here on are chosen from
     * @param to and only those before
     */
    public MillisecondChoice(Moment from, Moment to) {
        this.from = from;
        this.to = to;
        Arrays.fill(running, Timeline.UNKNOWN);
    }

    /** Closes the milliseconds that are over; whether an event at {@code ns} counts. */
    private boolean advance(long ns) {
        if (!begun) {
            begun = true;
            fromNs = from.in(ns);
            toNs = to.in(ns);
            originNs = Math.max(ns, fromNs);
            endNs = originNs + LENGTH_NS;
            current.begin(originNs, running);
        }
        if (ns < fromNs || ns >= toNs) {
            return false;
        }
        lastNs = ns;
        if (ns >= endNs) {
            close();
            long skipped = (ns - endNs) / LENGTH_NS;
            all += 1 + skipped;
            long start = endNs + skipped * LENGTH_NS;
            endNs = start + LENGTH_NS;
            current.begin(start, running);
        }
        return true;
    }

    /** The current millisecond is over. */
    private void close() {
        if (current.wakeups == 0) {
            return;
        }
        boolean keep = wakeups.getTotalCount() % stride == 0;
        wakeups.recordValue(current.wakeups);
        moves.recordValue(current.moves);
        if (!keep) {
            return;
        }
        kept.add(current);
        current = new Stretch();
        while (kept.size() > MOST_KEPT || kept.size() > 1 && size() > MOST_INTS) {
            stride *= 2;
            for (int i = kept.size() - 1 - kept.size() % 2; i > 0; i -= 2) {
                kept.remove(i);
            }
        }
    }

    private long size() {
        long size = 0;
        for (Stretch one : kept) {
            size += one.used();
        }
        return size;
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        if (cpu < 0) {
            return;
        }
        if (advance(ns)) {
            current.switched(ns, cpu, prev, next);
        }
        if (cpu >= running.length) {
            int known = running.length;
            running = Arrays.copyOf(running, Integer.highestOneBit(cpu) * 2);
            Arrays.fill(running, known, running.length, Timeline.UNKNOWN);
        }
        running[cpu] = next;
    }

    @Override
    public void waking(long ns, int cpu, int currentTask, int context, int wakee, int prio, int prevCpu) {
        wakingSeen = true;
        if (advance(ns)) {
            current.wakeups++;
            current.waking(ns, cpu, currentTask, wakee);
        }
    }

    @Override
    public void wakeup(long ns, int cpu, int currentTask, int context, int wakee, int prio, int targetCpu) {
        if (!advance(ns)) {
            return;
        }
        if (!wakingSeen) {
            current.wakeups++;
            current.waking(ns, cpu, currentTask, wakee);
        }
        current.queued(ns, targetCpu, currentTask, wakee);
    }

    @Override
    public void migrated(long ns, int cpu, int currentTask, int task, int prio, int fromCpu, int toCpu) {
        if (advance(ns)) {
            current.moves++;
        }
    }

    /** The chosen millisecond; null if there was no wakeup in any. */
    public @Nullable Timeline choose(TaskNames names) {
        if (kept.isEmpty()) {
            return shorter(names);
        }
        long medianWakeups = wakeups.getValueAtPercentile(50);
        long medianMoves = moves.getValueAtPercentile(50);
        Stretch best = kept.getFirst();
        for (Stretch one : kept) {
            best = distance(one, medianWakeups, medianMoves) < distance(best, medianWakeups, medianMoves) ? one : best;
        }
        Choice choice = new Choice(all, wakeups.getTotalCount(), kept.size(), medianWakeups, medianMoves);
        return best.timeline(originNs, LENGTH_NS, names, choice);
    }

    /** All that there is, if that has a wakeup but no whole millisecond with one was kept. */
    private @Nullable Timeline shorter(TaskNames names) {
        if (current.wakeups == 0) {
            return null;
        }
        long length = Math.max(1, lastNs - current.startNs);
        Choice choice = new Choice(all + 1, 1, 1, current.wakeups, current.moves);
        return current.timeline(originNs, length, names, choice);
    }

    private static double distance(Stretch one, long medianWakeups, long medianMoves) {
        return Math.abs(one.wakeups - medianWakeups) / (double) Math.max(1, medianWakeups)
                + Math.abs(one.moves - medianMoves) / (double) Math.max(1, medianMoves);
    }
}
