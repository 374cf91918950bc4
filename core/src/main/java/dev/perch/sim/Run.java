package dev.perch.sim;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.RuleKind;
import dev.perch.kernel.TaskTable;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.CfsTunables;
import dev.perch.kernel.fair.LoadWeights;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.fair.Runqueues;
import dev.perch.kernel.load.CpuLoad;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.Placement;
import dev.perch.model.BothEvents;
import dev.perch.model.CostItem;
import dev.perch.model.CpuMask;
import dev.perch.model.Machine;
import dev.perch.model.SchedEvents;
import dev.perch.model.Topology;
import dev.perch.sim.workload.Workload;
import dev.perch.sim.workload.Workloads;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * One run: a machine, a kernel and tasks, wired together, and the loop that takes events in order of time.
 *
 * <p>The parts are the CPUs' hardware ({@link Processors}, {@link ClockDomains}) and the kernel's paths: {@link Scheduling} (who runs
 * next), {@link Execution} (what a task does), {@link Wakeups}, {@link Idling}, {@link Interrupts}, {@link Governing}, {@link Balancing}. They share
 * the state that is kept here. After construction the loop allocates nothing.
 *
 * <p>Slots of the event queue, and so the order of simultaneous events: ticks, timers, reschedule and function-call interrupts, ends
 * of polling, ends of
 * work; each by CPU or task number (spec scheduler.md, appendix A).
 */
final class Run {
    /** The kernel's priority of every task: 120, nice 0. */
    static final int PRIO = 120;

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
    final int ipiSlot;
    final int callSlot;
    final int idleSlot;
    final int workSlot;

    final CostTable costs;
    final Processors processors;
    final ClockDomains clocks;
    final Cpus cpus;
    final TaskTable tasks;
    final Programs programs;
    final Runqueue[] runqueues;
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
    final Governing governing;
    /** Averages of what runs count at the highest clock, whatever the present one is. */
    final boolean frequencyInvariant;

    /** The highest clock that the settings allow. */
    final int fullKhz;

    final Balancing balancing;

    /** Simulated time, ns from the start of the run. */
    long now;

    private long limit;

    Run(SimulationSpec spec, SchedEvents listener) {
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
        ipiSlot = timerSlot + taskCount;
        callSlot = ipiSlot + cpuCount;
        idleSlot = callSlot + cpuCount;
        workSlot = idleSlot + cpuCount;
        queue = new EventQueue(workSlot + cpuCount);
        costs = new CostTable(machine);
        processors = new Processors(machine, queue, workSlot);
        noise = new Noise(spec.randomSeed(), taskCount + 2);
        cpus = new Cpus(cpuCount);
        tasks = new TaskTable(taskCount);
        programs = new Programs(workload);
        domains = SchedDomains.build(
                topology, partitions(spec), DomainRules.named(kernel.rules().schedDomains()));
        view = Placement.view(kernel, domains);
        runqueues = new Runqueues(kernel, tasks, cpuCount, settings.hz()).byCpu();
        cpuLoads = new CpuLoad[cpuCount];
        CfsTunables tunables = CfsTunables.scaled(cpuCount, kernel.tunables());
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            cpuLoads[cpu] = new CpuLoad(kernel.has("LB_BIAS"));
        }
        frequencyInvariant = new Governors(machine, kernel, settings).isInvariant();
        loads = KeptLoads.of(this);
        inputs = new WakeInputs(this);
        events = listener.equals(Simulation.NO_LISTENER) ? digest : new BothEvents(digest, listener);
        measurements = new Measurements(programs.instanceOf, workload);
        clocks = new ClockDomains(machine, processors, Governors.initialKhz(machine, kernel, settings), 0);
        fullKhz = clocks.fullKhz(settings.turbo());
        execution = new Execution(this);
        scheduling = new Scheduling(this);
        wakeups = new Wakeups(this);
        interrupts = new Interrupts(this);
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
            Workload.Policy policy = description.policy();
            if (policy.rtPriority() > 0) {
                LoadWeights.assignRealTime(tasks, task, policy.policy(), policy.rtPriority());
            } else {
                LoadWeights.assign(tasks, task, policy.policy(), policy.nice());
            }
            tasks.allowed[task] = description.allowed();
            int[] allowed = description.allowed().toArray();
            int cpu = allowed[noise.below(placement, allowed.length)];
            if (!description.forked()) {
                wakeups.startTask(task, cpu);
            }
        }
    }

    /** Takes events until {@code end}, or until all workloads that end have ended; afterwards {@link #now} is then. */
    void advance(long end) {
        limit = end;
        final EventQueue pending = queue;
        while (pending.nextTime() <= limit) {
            now = pending.nextTime();
            int slot = pending.take();
            if (slot >= workSlot) {
                workDone(slot - workSlot);
            } else if (slot >= idleSlot) {
                idling.pollLimit(slot - idleSlot);
            } else if (slot >= callSlot) {
                interrupts.callArrived(slot - callSlot);
            } else if (slot >= ipiSlot) {
                interrupts.ipiArrived(slot - ipiSlot);
            } else if (slot >= timerSlot) {
                interrupts.timerExpired(slot - timerSlot);
            } else {
                interrupts.tickDue(slot);
            }
        }
        now = limit;
    }

    /** The timed part of the task's instance begins; what was counted before the first one counts no longer. */
    void timedPartBegins(int task) {
        if (!measurements.anyBegun()) {
            measurements.reset();
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
