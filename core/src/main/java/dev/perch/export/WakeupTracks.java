package dev.perch.export;

import dev.perch.audit.Audit;
import dev.perch.audit.Certainty;
import dev.perch.audit.Verdict;
import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.trace.perfetto.PerfettoTracks;
import dev.perch.trace.perfetto.PerfettoTracks.Counter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Draws what an audit knows into a Perfetto trace: the stints of each task, each wakeup on its waker's track with its verdict, an arrow from
 * there to the stint that it led to, runqueue length and clock of each CPU.
 *
 * <p>An arrow is drawn only where both of its ends are: for wakeups whose latency is known. What an interrupt or an idle CPU wakes stands on
 * the CPU's track.
 *
 * <p>Limitation: of a task that ran already when the recording began, the first stint is not drawn.
 */
final class WakeupTracks implements SchedEvents {
    private static final byte[] WAKES = {'w', 'a', 'k', 'e', 's', ' '};
    private static final int LONGEST_NAME = 512;
    private static final int NOWHERE = -1;

    /** A task: where its open stint is, and arrows that wait for the stint that they lead to. */
    private static final class Task {
        private final long track;
        private int cpu = NOWHERE;
        private long[] number = new long[2];
        private long[] ranNs = new long[2];
        private int count;

        Task(long track) {
            this.track = track;
        }

        void add(long arrow, long ns) {
            if (count == number.length) {
                number = Arrays.copyOf(number, 2 * count);
                ranNs = Arrays.copyOf(ranNs, 2 * count);
            }
            number[count] = arrow;
            ranNs[count++] = ns;
        }
    }

    private final PerfettoTracks tracks;
    private final WakeupOutcomes outcomes;
    private final Audit audit;
    private final TaskNames names;
    private final boolean fromWakeupRecords;
    private final @Nullable Task[] running = new Task[CpuMask.MAX_CPUS];
    private final int[] runnable = new int[CpuMask.MAX_CPUS];
    private final String[] stints = new String[CpuMask.MAX_CPUS];
    private final Map<Integer, Task> tasks = new HashMap<>();
    private final byte[] name = new byte[WAKES.length + LONGEST_NAME];
    private long nowNs;

    /**
     * @param outcomes of a first reading of the same recording
     * @param audit hears the events before this does
     * @param fromWakeupRecords the recording has no waking records, so that wakeup records stand for them
     */
    WakeupTracks(
            PerfettoTracks tracks, WakeupOutcomes outcomes, Audit audit, TaskNames names, boolean fromWakeupRecords) {
        this.tracks = tracks;
        this.outcomes = outcomes;
        this.audit = audit;
        this.names = names;
        this.fromWakeupRecords = fromWakeupRecords;
        System.arraycopy(WAKES, 0, name, 0, WAKES.length);
        Arrays.fill(runnable, -1);
        Arrays.fill(stints, "");
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        close(ns, cpu);
        if (next > 0) {
            Task task = task(next);
            if (task.cpu != NOWHERE) {
                // The switch away from it is missing.
                close(ns, task.cpu);
            }
            tracks.beginSlice(ns, task.track, stint(cpu));
            endArrows(ns, task);
            tracks.endEvent();
            task.cpu = cpu;
            running[cpu] = task;
        }
        count(ns, cpu);
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        woken(ns, cpu, current, context, wakee, prevCpu);
        count(ns, prevCpu);
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        if (fromWakeupRecords) {
            woken(ns, cpu, current, context, wakee, -1);
        }
        count(ns, targetCpu);
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        count(ns, targetCpu);
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        count(ns, fromCpu);
        count(ns, toCpu);
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        nowNs = ns;
        tracks.count(ns, Counter.FREQUENCY, cpu, khz);
    }

    @Override
    public void lost(long ns, int cpu, long count) {
        if (cpu >= 0) {
            close(ns, cpu);
        }
    }

    /** The recording is over: so are the stints. */
    void finish() {
        for (int cpu = 0; cpu < running.length; cpu++) {
            close(nowNs, cpu);
        }
    }

    private void close(long ns, int cpu) {
        nowNs = ns;
        Task task = running[cpu];
        if (task != null) {
            tracks.endSlice(ns, task.track);
            task.cpu = NOWHERE;
            running[cpu] = null;
        }
    }

    private Task task(int pid) {
        Task task = tasks.get(pid);
        if (task == null) {
            task = new Task(tracks.task(pid));
            tasks.put(pid, task);
        }
        return task;
    }

    private void woken(long ns, int cpu, int current, int context, int wakee, int prevCpu) {
        nowNs = ns;
        boolean byTask = current > 0 && (context & IN_HARDIRQ) == 0;
        long track = byTask ? task(current).track : tracks.cpu(cpu);
        Task woken = task(wakee);
        int length = names.copyName(wakee, name, WAKES.length, LONGEST_NAME);
        tracks.beginInstant(ns, track, name, WAKES.length + length);
        tracks.note("wakee", wakee);
        if (prevCpu >= 0) {
            tracks.note("previous CPU", prevCpu);
        }
        long number = outcomes.find(ns, cpu, wakee);
        if (number > 0) {
            annotate(number, ns, woken);
        }
        tracks.endEvent();
    }

    private void annotate(long number, long ns, Task wakee) {
        Verdict verdict = outcomes.verdict(number);
        tracks.note("wakeup", number).note("verdict", verdict.word());
        if (verdict == Verdict.UNKNOWN) {
            tracks.note("unknown because", outcomes.reason(number).text());
        }
        int faults = outcomes.faults(number);
        for (Verdict fault : Verdict.all()) {
            if ((faults & fault.bit()) != 0) {
                tracks.note("fault", fault.word());
            }
        }
        if (outcomes.chosenCpu(number) >= 0) {
            tracks.note("chosen CPU", outcomes.chosenCpu(number));
            if (outcomes.certainty(number) != Certainty.EXACT) {
                tracks.note("certainty", outcomes.certainty(number).word());
            }
        }
        if (outcomes.isCostKnown(number)) {
            tracks.note("cost ns", outcomes.costNs(number));
        }
        long latencyNs = outcomes.latencyNs(number);
        if (latencyNs >= 0) {
            tracks.note("latency ns", latencyNs);
            tracks.arrowFrom(number);
            wakee.add(number, ns + latencyNs);
        }
    }

    private void endArrows(long ns, Task task) {
        int kept = 0;
        for (int i = 0; i < task.count; i++) {
            if (task.ranNs[i] == ns) {
                tracks.arrowTo(task.number[i]);
            } else {
                task.number[kept] = task.number[i];
                task.ranNs[kept++] = task.ranNs[i];
            }
        }
        task.count = kept;
    }

    private void count(long ns, int cpu) {
        nowNs = ns;
        int now = audit.runqueueLength(cpu);
        if (now != runnable[cpu] && now >= 0) {
            runnable[cpu] = now;
            tracks.count(ns, Counter.RUNQUEUE_LENGTH, cpu, now);
        }
    }

    private String stint(int cpu) {
        if (stints[cpu].isEmpty()) {
            stints[cpu] = "on CPU " + cpu;
        }
        return stints[cpu];
    }
}
