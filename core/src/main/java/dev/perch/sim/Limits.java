package dev.perch.sim;

import dev.perch.kernel.KernelVersion;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.fair.Runqueues;
import dev.perch.kernel.fair.TaskGroups;
import dev.perch.kernel.placement.EffectiveLoads;
import dev.perch.model.CostItem;
import dev.perch.model.InputException;
import dev.perch.sim.workload.Workload;

/**
 * Limits on the time of task groups and of real-time tasks, as the run's clock ends them: the timers of {@link Runqueues} expire as interrupts
 * on the CPUs that started them ({@code sched_cfs_period_timer}, {@code sched_cfs_slack_timer}, {@code sched_rt_period_timer}; spec:
 * scheduler.md 1.20, 4.10).
 *
 * <p>Limitation: queues of other CPUs are let go within the handler, as until 6.2; later kernels ask those CPUs to do it.
 */
final class Limits {
    private static final KernelVersion LIMITS = KernelVersion.parse("v3.2");
    private static final KernelVersion BURSTS = KernelVersion.parse("v5.14");
    private static final KernelVersion IDLE_GROUPS = KernelVersion.parse("v5.15");

    private final Run run;
    private final Runqueues runqueues;
    /** Timers that have expired and wait for the handler of their CPU. */
    private final boolean[] expired;

    private final int[] wasRunning;
    /** By group: how long it had been throttled when measuring began. */
    private final long[] throttledBefore;

    Limits(Run run, Runqueues runqueues) {
        this.run = run;
        this.runqueues = runqueues;
        expired = new boolean[slots(run.workload, runqueues)];
        wasRunning = new int[run.cpuCount];
        throttledBefore = new long[run.workload.groups().groups().size() + 1];
        if (!run.workload.groups().groups().isEmpty()) {
            run.view.groups = effectiveLoads(run.runqueues);
        }
    }

    /** How many slots of the event queue the timers need: none if nothing can ever be throttled. */
    static int slots(Workload workload, Runqueues runqueues) {
        boolean realTime =
                workload.tasks().stream().anyMatch(task -> task.policy().rtPriority() > 0);
        return realTime || !workload.limited().isEmpty() ? runqueues.timers() : 0;
    }

    private static EffectiveLoads effectiveLoads(Runqueue[] byCpu) {
        return (group, cpu, onCpu, inGroup) -> byCpu[cpu].effectiveLoad(group, onCpu, inGroup);
    }

    /**
     * Checks that the kernel of a run has what its groups ask for.
     *
     * @throws InputException what it lacks, and since when there is such a thing
     */
    static void check(SimulationSpec spec, TaskGroups groups) {
        KernelVersion version = spec.kernel().version();
        for (TaskGroups.Group group : groups.groups()) {
            require(!group.isLimited(), version, LIMITS, "cannot limit a task group (cpu.max)");
            require(group.limit().burstNs() == 0, version, BURSTS, "knows no burst of a task group (cpu.max.burst)");
            require(!group.idle(), version, IDLE_GROUPS, "knows no idle task group (cpu.idle)");
        }
    }

    private static void require(boolean unused, KernelVersion version, KernelVersion since, String what) {
        if (!unused && version.compareTo(since) < 0) {
            throw new InputException(
                    "kernel " + version + " " + what + "; that came with " + since + ", choose a later kernel");
        }
    }

    /** What was throttled so far no longer counts. */
    void measuringBegins() {
        for (int group = 1; group < throttledBefore.length; group++) {
            throttledBefore[group] = runqueues.throttledNs(group, run.now);
        }
    }

    /** How long the queues of a group have been throttled by its limit since measuring began, ns, summed over CPUs. */
    long throttledNs(int group) {
        return runqueues.throttledNs(group, run.now) - throttledBefore[group];
    }

    /** Timers were started or stopped. */
    void rearm() {
        for (int timer = 0; timer < expired.length; timer++) {
            run.queue.schedule(run.limitSlot + timer, runqueues.due(timer));
        }
    }

    /** When the next of these timers expires on a CPU, or {@link EventQueue#NEVER}. */
    long nextTimer(int cpu) {
        int groupTimers = runqueues.groupTimers();
        long next = expired.length == 0 ? EventQueue.NEVER : runqueues.due(groupTimers + cpu);
        for (int timer = 0; timer < groupTimers; timer++) {
            if (runqueues.timerCpu(timer) == cpu) {
                next = Math.min(next, runqueues.due(timer));
            }
        }
        return next;
    }

    /** A timer expires: its CPU is interrupted. */
    void timerExpired(int timer) {
        expired[timer] = true;
        run.interrupts.raise(runqueues.timerCpu(timer), Cpus.LIMIT_INTERRUPT);
    }

    /** The handler of the timers of a CPU: lets go whom they held, wherever that is. */
    void handle(int cpu) {
        for (int other = 0; other < run.cpuCount; other++) {
            run.loads.age(other);
            wasRunning[other] = run.runqueues[other].nrRunning();
        }
        for (int timer = 0; timer < expired.length; timer++) {
            if (expired[timer] && runqueues.timerCpu(timer) == cpu) {
                expired[timer] = false;
                runqueues.expire(timer, run.now);
            }
        }
        for (int other = 0; other < run.cpuCount; other++) {
            Runqueue runqueue = run.runqueues[other];
            if (runqueue.nrRunning() != wasRunning[other]) {
                run.owe(cpu, CostItem.RUNQUEUE_LOCK);
                run.owe(cpu, CostItem.ENQUEUE);
            }
            run.refreshView(other);
            if (runqueue.takeSignal()) {
                run.wakeups.signal(cpu, other);
            }
        }
    }
}
