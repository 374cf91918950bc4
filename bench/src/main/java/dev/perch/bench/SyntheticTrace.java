package dev.perch.bench;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;
import java.util.SplittableRandom;

/** A made-up but plausible stream of events out of a seed: pairs that wake each other on some CPUs. */
final class SyntheticTrace {
    private static final int CPUS = 8;
    private static final int TASKS = 64;
    private static final int FAIR = 120;

    private final SplittableRandom random;
    private final int[] running = new int[CPUS];
    private long ns = 1_000_000_000L;

    SyntheticTrace(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Hands {@code out} at least {@code events} events: rounds of waking, wakeup, switches, idle. */
    void run(int events, SchedEvents out) {
        for (int i = 0; i < events; i += 6) {
            int cpu = random.nextInt(CPUS);
            int target = random.nextInt(CPUS);
            int wakee = 1 + random.nextInt(TASKS);
            int waker = running[cpu];
            out.waking(step(), cpu, waker, SchedEvents.IN_TASK, wakee, FAIR, target);
            out.idle(step(), target, -1);
            out.wakeup(step(), target, running[target], SchedEvents.IN_HARDIRQ, wakee, FAIR, target);
            out.switched(step(), target, running[target], FAIR, TaskState.RUNNABLE, wakee, FAIR);
            running[target] = wakee;
            out.switched(step(), cpu, running[cpu], FAIR, TaskState.SLEEPING, 0, FAIR);
            running[cpu] = 0;
            out.idle(step(), cpu, 1);
        }
    }

    private long step() {
        ns += 200 + random.nextInt(3000);
        return ns;
    }
}
