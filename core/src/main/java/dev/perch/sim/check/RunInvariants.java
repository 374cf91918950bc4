package dev.perch.sim.check;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;

/**
 * All invariants of a run. Its events are listened to ({@link #events}), its queues are looked at after each entry of the event queue
 * ({@link #inspect}). Whatever is wrong ends in an {@link InvariantViolation}.
 *
 * <p>CPUs are looked at after every entry. Tasks are looked at in sweeps over all of them: each entry adds a little to a budget, and as soon as
 * it pays for a sweep, one takes place. So a small run is swept after each entry, and in a large one an entry costs no more for there
 * being thousands of tasks. Allocates nothing until it finds something.
 */
public final class RunInvariants {
    /** Tasks and CPUs that may be looked at for each entry of the event queue. */
    private static final int LOOKS = 64;

    private final int cpus;
    private final int sweepCost;
    private final EventInvariants listener;
    private final QueueInvariants queues;
    private final TimeInvariants times;
    private final VirtualTimeInvariants virtualTimes;
    private int budget;

    /** @param rules how the queues keep virtual time */
    public RunInvariants(CheckedRun run, TaskTable tasks, Runqueue[] runqueues, VirtualTimeRules rules) {
        cpus = runqueues.length;
        sweepCost = cpus + tasks.capacity();
        Violations violations = new Violations(run);
        times = new TimeInvariants(run, tasks, runqueues, violations);
        listener = new Listener(run, tasks, violations);
        virtualTimes = new VirtualTimeInvariants(tasks, runqueues, rules, listener, violations);
        queues = new QueueInvariants(run, tasks, runqueues, listener, violations);
    }

    /** Wants to be told of every event of the run, from its beginning on. */
    public SchedEvents events() {
        return listener;
    }

    /** An entry of the event queue has been worked off, at {@code ns}. */
    public void inspect(long ns) {
        for (int cpu = 0; cpu < cpus; cpu++) {
            queues.inspectCpu(ns, cpu);
            times.inspectCpu(ns, cpu);
            virtualTimes.inspectCpu(ns, cpu);
        }
        times.inspected(ns);
        budget += LOOKS;
        if (budget >= sweepCost) {
            sweep(ns);
        }
    }

    /** Looks at everything, as at the end of a run. */
    public void sweep(long ns) {
        budget = 0;
        queues.inspectTasks(ns);
        times.inspectAll(ns);
        virtualTimes.inspect(ns);
    }

    /** Tells the other parts of switches. */
    private final class Listener extends EventInvariants {
        Listener(CheckedRun run, TaskTable tasks, Violations violations) {
            super(run, tasks, cpus, violations);
        }

        @Override
        public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
            super.switched(ns, cpu, prev, prevPrio, prevState, next, nextPrio);
            times.switched(ns, cpu, prev, next);
            virtualTimes.switched(ns, cpu, next);
        }
    }
}
