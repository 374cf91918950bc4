package dev.perch.report.observe;

import dev.perch.model.TaskNames;
import dev.perch.report.observe.Timeline.Choice;
import dev.perch.report.observe.Timeline.Stint;
import dev.perch.report.observe.Timeline.Wake;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The events of one stretch of time, packed, with what was the case when it began. */
final class Stretch {
    private static final int INTS = 5;
    private static final int SWITCH = 0;
    private static final int WAKING = 1;
    private static final int QUEUED = 2;

    long startNs;
    long wakeups;
    long moves;

    /** Pid on each CPU at the beginning, {@link Timeline#UNKNOWN} if not known. */
    private int[] running = new int[0];

    private int[] events = new int[64 * INTS];
    private int used;

    /** Forgets all and begins at {@code startNs}; {@code pids} is copied. */
    void begin(long startNs, int[] pids) {
        this.startNs = startNs;
        if (running.length == pids.length) {
            System.arraycopy(pids, 0, running, 0, pids.length);
        } else {
            running = pids.clone();
        }
        used = 0;
        wakeups = 0;
        moves = 0;
    }

    /** How many ints its events take. */
    int used() {
        return used;
    }

    void switched(long ns, int cpu, int prev, int next) {
        add(SWITCH, ns, cpu, prev, next);
    }

    void waking(long ns, int cpu, int waker, int wakee) {
        add(WAKING, ns, cpu, waker, wakee);
    }

    void queued(long ns, int target, int waker, int wakee) {
        add(QUEUED, ns, target, waker, wakee);
    }

    private void add(int kind, long ns, int cpu, int first, int second) {
        if (used == events.length) {
            events = Arrays.copyOf(events, used * 2);
        }
        events[used] = kind;
        events[used + 1] = (int) (ns - startNs);
        events[used + 2] = cpu;
        events[used + 3] = first;
        events[used + 4] = second;
        used += INTS;
    }

    Timeline timeline(long originNs, long lengthNs, TaskNames names, Choice choice) {
        return new Timeline(
                startNs, startNs - originNs, lengthNs, stints(lengthNs, names), wakes(names), wakeups, moves, choice);
    }

    private List<Stint> stints(long lengthNs, TaskNames names) {
        int cpus = running.length;
        for (int at = 0; at < used; at += INTS) {
            cpus = Math.max(cpus, events[at] == SWITCH ? events[at + 2] + 1 : 0);
        }
        int[] now = Arrays.copyOf(running, cpus);
        Arrays.fill(now, running.length, cpus, Timeline.UNKNOWN);
        long[] since = new long[cpus];
        List<List<Stint>> byCpu = new ArrayList<>();
        for (int cpu = 0; cpu < cpus; cpu++) {
            byCpu.add(new ArrayList<>());
        }
        for (int at = 0; at < used; at += INTS) {
            if (events[at] == SWITCH) {
                int cpu = events[at + 2];
                int prev = now[cpu] == Timeline.UNKNOWN && byCpu.get(cpu).isEmpty() ? events[at + 3] : now[cpu];
                addStint(byCpu.get(cpu), cpu, since[cpu], events[at + 1], prev, names);
                now[cpu] = events[at + 4];
                since[cpu] = events[at + 1];
            }
        }
        List<Stint> all = new ArrayList<>();
        for (int cpu = 0; cpu < cpus; cpu++) {
            addStint(byCpu.get(cpu), cpu, since[cpu], lengthNs, now[cpu], names);
            all.addAll(byCpu.get(cpu));
        }
        return all;
    }

    private static void addStint(List<Stint> stints, int cpu, long from, long to, int pid, TaskNames names) {
        if (to > from && pid != Timeline.UNKNOWN) {
            stints.add(new Stint(cpu, from, to, pid, pid == 0 ? "idle" : names.nameOf(pid)));
        }
    }

    /** Every waking record, with the first wakeup record of the same task after it; new tasks have only the latter. */
    private List<Wake> wakes(TaskNames names) {
        List<Wake> wakes = new ArrayList<>();
        for (int at = 0; at < used; at += INTS) {
            if (events[at] != WAKING) {
                continue;
            }
            int wakee = events[at + 4];
            int queued = queueing(at, wakee);
            int waker = events[at + 3];
            wakes.add(new Wake(
                    events[at + 1],
                    events[at + 2],
                    waker,
                    waker == 0 ? "idle" : names.nameOf(waker),
                    wakee,
                    names.nameOf(wakee),
                    queued < 0 ? -1 : events[queued + 1],
                    queued < 0 ? -1 : events[queued + 2]));
        }
        return wakes;
    }

    private int queueing(int after, int wakee) {
        for (int at = after + INTS; at < used; at += INTS) {
            if (events[at + 4] == wakee && events[at] != SWITCH) {
                return events[at] == QUEUED ? at : -1;
            }
        }
        return -1;
    }
}
