package dev.perch.sim;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.RuleKind;
import dev.perch.kernel.TaskTable;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.CfsTunables;
import dev.perch.kernel.fair.GroupWeights;
import dev.perch.kernel.fair.LoadWeights;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.fair.Runqueues;
import dev.perch.kernel.load.CpuLoad;
import dev.perch.kernel.load.LoadTracking;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.Placement;
import dev.perch.model.CostItem;
import dev.perch.model.BothEvents;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.SchedEvents;
import dev.perch.model.Topology;
import dev.perch.sim.check.RunInvariants;
import dev.perch.sim.check.VirtualTimeRules;
import dev.perch.sim.workload.Workload;
import dev.perch.sim.workload.Workloads;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run: a machine, a kernel and tasks, wired together, and the loop that takes events in order of time.
 *
 * <p>The parts are the CPUs' hardware ({@link Processors}, {@link ClockDomains}) and the kernel's paths: {@link Scheduling} (who runs
 * next), {@link Execution} (what a task does), {@link Wakeups}, {@link Idling}, {@link Interrupts}, {@link Governing}, {@link Balancing}. They share
 * the state that is kept here. After construction the loop allocates nothing.
 *
 * <p>Slots of the event queue, and so the order of simultaneous events: ticks, timers, those of limits, reschedule and function-call interrupts, ends
 * of polling, ends of
 * work; each by CPU or task number (spec scheduler.md, appendix A).
 */
final class Run {
    final SimulationSpec spec;
    final Machine machine;
    final Topology topology;
    final Kernel kernel;
    final Settings settings;
    final Workload workload;
    final int cpuCount;
    final int taskCount;

    final EventQueue queue;
    final int tickSlot;
    final int timerSlot;
    final int limitSlot;
    final int ipiSlot;
    final int callSlot;
    final int idleSlot;
    final int workSlot;

    final CostTable costs;
    final RunqueueLocks locks;
    final Processors processors;
    final ClockDomains clocks;
    final Cpus cpus;
    final TaskTable tasks;
    final Programs programs;
    final Runqueue[] runqueues;
    private final Runqueues runqueueSet;
    final CpuLoad[] cpuLoads;
    final CpuView view;
    final SchedDomains domains;
    final KeptLoads loads;
    final WakeInputs inputs;
    final Noise noise;
    final Measurements measurements;
    final EventDigest digest = new EventDigest();
    final SchedEvents events;

    final Execution execution;
    final Scheduling scheduling;
    final Wakeups wakeups;
    final Idling idling;
    final Interrupts interrupts;
    final Limits limits;
    final Governing governing;
    /** Averages of what runs count at the highest clock, whatever the present one is. */
    final boolean frequencyInvariant;

    /** The highest clock that the settings allow. */
    final int fullKhz;

    final Balancing balancing;

    /** Simulated time, ns from the start of the run. */
    long now;

    private long limit;
    private final @Nullable RunInvariants invariants;

    /** A run that nobody checks. */
    Run(SimulationSpec spec, SchedEvents listener) {
        this(spec, listener, false);
    }

    /** @param checked whether it ends with an {@code InvariantViolation} as soon as something is wrong */
    Run(SimulationSpec spec, SchedEvents listener, boolean checked) {
        this.spec = spec;
        machine = spec.machine();
        topology = machine.topology();
        kernel = spec.kernel();
        settings = spec.settings();
        kernel.requireModelled(EnumSet.allOf(RuleKind.class));
        workload = Workloads.build(spec.workloadSetup());
        cpuCount = topology.cpuCount();
        taskCount = workload.tasks().size() + 1;
        tickSlot = 0;
        timerSlot = tickSlot + cpuCount;
        limitSlot = timerSlot + taskCount;
        tasks = new TaskTable(taskCount, workload.groups().entities(cpuCount));
        runqueueSet = new Runqueues(
                kernel,
                tasks,
                cpuCount,
                settings.hz(),
                workload.groups(),
                GroupWeights.averaged(
                        LoadTracking.named(kernel.rules().loadTracking()),
                        workload.groups().groups().size(),
                        cpuCount));
        runqueues = runqueueSet.byCpu();
        ipiSlot = limitSlot + Limits.slots(workload, runqueueSet);
        callSlot = ipiSlot + cpuCount;
        idleSlot = callSlot + cpuCount;
        workSlot = idleSlot + cpuCount;
        queue = new EventQueue(workSlot + cpuCount, workSlot);
        if (spec.warmupNs() + spec.durationNs() > queue.latest()) {
            throw new InputException("a run of so many tasks and CPUs can last at most " + queue.latest() / 3_600_000_000_000L
                    + " simulated hours; give less time (--duration, --warmup)");
        }
        costs = new CostTable(machine);
        locks = new RunqueueLocks(costs, cpuCount);
        processors = new Processors(machine, queue, workSlot);
        noise = new Noise(spec.randomSeed(), taskCount + 2);
        cpus = new Cpus(cpuCount);
        programs = new Programs(workload);
        domains = SchedDomains.build(
                topology, partitions(spec), DomainRules.named(kernel.rules().schedDomains()));
        view = Placement.view(kernel, domains);
        cpuLoads = new CpuLoad[cpuCount];
        CfsTunables tunables = CfsTunables.scaled(cpuCount, kernel.tunables());
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            cpuLoads[cpu] = new CpuLoad(kernel.has("LB_BIAS"));
        }
        frequencyInvariant = new Governors(machine, kernel, settings).isInvariant();
        loads = KeptLoads.of(this);
        inputs = new WakeInputs(this);
        VirtualTimeRules virtualTime = VirtualTimeRules.of(kernel, cpuCount, settings.hz());
        invariants = checked ? new RunInvariants(new CheckedState(this), tasks, runqueues, virtualTime) : null;
        SchedEvents told = listener.equals(Simulation.NO_LISTENER) ? digest : new BothEvents(digest, listener);
        events = invariants == null ? told : new BothEvents(told, invariants.events());
        measurements = new Measurements(programs.instanceOf, workload);
        clocks = new ClockDomains(machine, processors, Governors.initialKhz(machine, kernel, settings), 0);
        fullKhz = clocks.fullKhz(settings.turbo());
        execution = new Execution(this);
        scheduling = new Scheduling(this);
        wakeups = new Wakeups(this);
        interrupts = new Interrupts(this);
        limits = new Limits(this, runqueueSet);
        idling = new Idling(this);
        governing = new Governing(this);
        balancing = new Balancing(this, tunables);
    }

    private static List<CpuMask> partitions(SimulationSpec spec) {
        CpuMask all = spec.machine().topology().cpus();
        List<CpuMask> partitions = new ArrayList<>();
        CpuMask rest = all.minus(spec.cpuset());
        if (!spec.cpuset().isEmpty()) {
            partitions.add(spec.cpuset());
        }
        if (!rest.isEmpty()) {
            partitions.add(rest);
        }
        return partitions;
    }

    /** Puts every task on its first CPU and lets time begin. */
    void begin() {
        int placement = taskCount; // the stream of draws for the set-up
        interrupts.begin(noise.below(placement, (int) interrupts.jiffyNs()));
        governing.begin();
        idling.begin();
        for (int task = 1; task < taskCount; task++) {
            Workload.Task description = workload.tasks().get(task - 1);
            asDescribed(task, description);
            int[] allowed = description.allowed().toArray();
            int cpu = allowed[noise.below(placement, allowed.length)];
            if (!description.forked()) {
                wakeups.startTask(task, cpu);
            }
        }
    }

    /** A task that is on no queue gets the policy, affinity and group that its description says; the group it has if that says none. */
    private void asDescribed(int task, Workload.Task description) {
        Workload.Policy policy = description.policy();
        if (policy.rtPriority() > 0) {
            LoadWeights.assignRealTime(tasks, task, policy.policy(), policy.rtPriority());
        } else {
            LoadWeights.assign(tasks, task, policy.policy(), policy.nice());
        }
        tasks.slice[task] = policy.sliceNs();
        tasks.customSlice[task] = policy.sliceNs() > 0;
        tasks.allowed[task] = description.allowed();
        if (description.group() != Workload.INHERITED) {
            tasks.group[task] = description.group();
        }
    }

    /** A task is forked: it begins as its description says, in its parent's group if that says none. */
    void beginChild(int child, int parent) {
        tasks.group[child] = tasks.group[parent];
        asDescribed(child, workload.tasks().get(child - 1));
    }

    /** What was measured so far no longer counts. */
    void measuringBegins() {
        measurements.reset();
        limits.measuringBegins();
    }

    /** Takes events until {@code end}, or until all workloads that end have ended; afterwards {@link #now} is then. */
    void advance(long end) {
        limit = end;
        if (invariants == null) {
            while (queue.nextTime() <= limit) {
                takeEvent();
            }
            now = limit;
        } else {
            advanceChecked(invariants);
        }
    }

    private void advanceChecked(RunInvariants checks) {
        while (queue.nextTime() <= limit) {
            takeEvent();
            checks.inspect(now);
        }
        now = limit;
        checks.inspect(now);
        checks.sweep(now);
    }

    private void takeEvent() {
        now = queue.nextTime();
        int slot = queue.take();
        if (slot >= workSlot) {
            workDone(slot - workSlot);
        } else if (slot >= idleSlot) {
            idling.pollLimit(slot - idleSlot);
        } else if (slot >= callSlot) {
            interrupts.callArrived(slot - callSlot);
        } else if (slot >= ipiSlot) {
            interrupts.ipiArrived(slot - ipiSlot);
        } else if (slot >= limitSlot) {
            limits.timerExpired(slot - limitSlot);
        } else if (slot >= timerSlot) {
            interrupts.timerExpired(slot - timerSlot);
        } else {
            interrupts.tickDue(slot);
        }
        if (runqueueSet.takeTimersChanged()) {
            limits.rearm();
        }
    }

    /** The timed part of the task's instance begins; what was counted before the first one counts no longer. */
    void timedPartBegins(int task) {
        if (!measurements.anyBegun()) {
            measuringBegins();
        }
        measurements.begin(task, now);
    }

    /** The timed part of the task's instance is over. */
    void timedPartEnds(int task) {
        measurements.end(task, now);
        if (measurements.allEnded()) {
            limit = now;
        }
    }

    private void workDone(int cpu) {
        processors.finish(cpu);
        switch (cpus.phase[cpu]) {
            case Cpus.RUNNING -> execution.operationDone(cpu);
            case Cpus.FORKING -> wakeups.deliverNew(cpu);
            case Cpus.WAKING -> wakeups.deliver(cpu);
            case Cpus.BLOCKING -> scheduling.block(cpu);
            case Cpus.SWITCHING -> scheduling.switched(cpu);
            case Cpus.IDLE_ENTRY -> idling.entered(cpu);
            case Cpus.LEAVING -> idling.left(cpu);
            case Cpus.IDLE_INTERRUPT -> idling.interruptDone(cpu);
            case Cpus.IDLE_EXIT -> idling.exited(cpu);
            default -> throw new IllegalStateException("CPU " + cpu + " finished work in phase " + cpus.phase[cpu]);
        }
    }

    /** Begins a piece of work on a CPU, with what the CPU owes from before. */
    void work(int cpu, int phase, long coreNs, long wallNs) {
        cpus.phase[cpu] = phase;
        long core = coreNs + cpus.debtCoreNs[cpu];
        long wall = wallNs + cpus.debtWallNs[cpu];
        cpus.debtCoreNs[cpu] = 0;
        cpus.debtWallNs[cpu] = 0;
        processors.start(cpu, core, wall, now);
    }

    /** The cost of a step is added to the next piece of work that the CPU begins. */
    void owe(int cpu, CostItem item) {
        cpus.owe(cpu, costs.coreNs(item), costs.wallNs(item));
    }

    /** Adds what a CPU owes to the work that it is doing. */
    void extendWork(int cpu) {
        processors.extend(cpu, cpus.debtCoreNs[cpu], cpus.debtWallNs[cpu], now);
        cpus.debtCoreNs[cpu] = 0;
        cpus.debtWallNs[cpu] = 0;
    }

    /** Copies what placement rules may look at from a runqueue into their view; after every change of the queue. */
    void refreshView(int cpu) {
        Runqueue runqueue = runqueues[cpu];
        view.nrRunning[cpu] = runqueue.nrRunning();
        view.load[cpu] = runqueue.weight();
        view.currentIdle[cpu] = cpus.isIdle(cpu);
        view.schedIdle[cpu] = runqueue.nrIdlePolicy();
        view.delayed[cpu] = runqueue.nrDelayed();
        loads.queueChanged(cpu);
        balancing.counted(cpu);
    }
}
