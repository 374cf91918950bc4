package dev.perch.sim;

import dev.perch.kernel.balance.BalanceHost;
import dev.perch.kernel.balance.BalanceSettings;
import dev.perch.kernel.balance.Balancer;
import dev.perch.kernel.balance.RealTimeBalance;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.fair.CfsTunables;
import dev.perch.kernel.load.LoadTracking;
import dev.perch.model.CostItem;
import java.util.Arrays;

/**
 * The load balancer at work: at ticks, when a CPU runs out of tasks, and through idle CPUs that are kicked. What an attempt costs is what
 * it looked at and moved, charged to the CPU that made it.
 *
 * <p>Limitation: an attempt happens at one instant, so two never meet on a lock.
 */
final class Balancing implements BalanceHost {
    private static final int NO_TARGET = -1;

    private final Run run;
    private final Cpus cpus;
    private final AveragedLoads averages;
    private final Balancer balancer;
    private final boolean grouped;
    private final boolean dynamicTicks;
    /** CPU to which the stopper that has been started on a CPU is to move its task, or {@link #NO_TARGET}. */
    private final int[] stopperTarget;
    /** An interrupt is on its way that asks the CPU to balance for all idle ones. */
    private final boolean[] kicked;
    /** The CPU that is balancing. */
    private int actor;

    private final RealTimeBalance realTime;

    private long paidProbes;
    private long paidMoves;

    Balancing(Run run, CfsTunables tunables) {
        this.run = run;
        cpus = run.cpus;
        grouped = !run.workload.groups().groups().isEmpty();
        dynamicTicks = run.settings.nohz();
        averages = new AveragedLoads(
                run, LoadTracking.named(run.kernel.rules().loadTracking()).boostsUtil());
        balancer = new Balancer(
                run.kernel.rules(),
                BalanceSettings.of(run.kernel, tunables, run.settings.hz(), run.cpuCount),
                run.domains,
                run.tasks,
                run.runqueues,
                run.cpuLoads,
                averages,
                run.interrupts.jiffies());
        realTime = new RealTimeBalance(run.runqueues, run.tasks, run.domains, this);
        stopperTarget = new int[run.cpuCount];
        kicked = new boolean[run.cpuCount];
        Arrays.fill(stopperTarget, NO_TARGET);
    }

    /** A CPU enters the idle loop. */
    void enterIdle(int cpu) {
        if (dynamicTicks) {
            balancer.idleEntered(cpu);
        }
    }

    /** An idle CPU stops its tick. */
    void tickStopped(int cpu) {
        balancer.tickStopped(cpu);
    }

    /** A CPU whose tick was stopped leaves the idle loop. */
    void tickRestarted(int cpu) {
        balancer.tickRestarted(cpu);
    }

    /** The end of a CPU's tick. */
    void tick(int cpu) {
        actor = cpu;
        boolean idle = cpus.isIdle(cpu);
        long jiffies = run.interrupts.jiffies();
        if (balancer.tick(cpu, jiffies, idle, this)) {
            updateShares(cpu);
            balancer.softirq(cpu, idle, jiffies, this);
        }
        pay(cpu);
    }

    /** A CPU has nothing left to run, and looks for work elsewhere. */
    void newlyIdle(int cpu) {
        actor = cpu;
        updateShares(cpu);
        run.loads.age(cpu);
        balancer.newlyIdle(cpu, run.interrupts.jiffies(), this);
        run.inputs.idleTimeChanged(cpu);
        pay(cpu);
    }

    /** A reschedule interrupt has arrived: the CPU may have been kicked. */
    void interrupted(int cpu) {
        if (!kicked[cpu]) {
            return;
        }
        kicked[cpu] = false;
        if (isIdle(cpu) && !run.runqueues[cpu].reschedulePending()) {
            actor = cpu;
            balancer.softirq(cpu, true, run.interrupts.jiffies(), this);
            pay(cpu);
        } else {
            balancer.kickMissed(cpu);
        }
    }

    /** The queue of a CPU has changed. */
    void counted(int cpu) {
        averages.counted(cpu);
        balancer.counted(cpu);
        balancer.changed(cpu);
    }

    /** The averages of a CPU have changed, or whether a wakeup is on its way there. */
    void changed(int cpu) {
        balancer.changed(cpu);
    }

    /** Whether a stopper waits to displace the task that runs on a CPU. */
    boolean stopperPending(int cpu) {
        return stopperTarget[cpu] != NO_TARGET;
    }

    /** The stopper has displaced the task and moves it; it costs a wakeup and two switches. */
    void runStopper(int cpu) {
        actor = cpu;
        int target = stopperTarget[cpu];
        stopperTarget[cpu] = NO_TARGET;
        balancer.activeBalance(cpu, target, this);
        cpus.owe(
                cpu,
                run.costs.coreNs(CostItem.PICK) + 2L * run.costs.coreNs(CostItem.SWITCH_THREAD),
                run.costs.wallNs(CostItem.PICK) + 2L * run.costs.wallNs(CostItem.SWITCH_THREAD));
        pay(cpu);
    }

    /** How real-time tasks are placed. */
    RealTimeBalance realTime() {
        return realTime;
    }

    /** A real-time task has been woken by {@code cpu}; whether {@code target}, where it is queued, must be told. */
    boolean realTimeWoken(int cpu, int task, int target) {
        actor = cpu;
        return realTime.woken(task, target, cpu);
    }

    /** A real-time task has left its CPU, which may fetch others. */
    void realTimeLeft(int cpu, int task) {
        actor = cpu;
        realTime.pull(cpu, run.tasks.rtPriority[task]);
    }

    /** A CPU has switched: real-time tasks that wait there may go elsewhere. */
    void switched(int cpu) {
        if (run.runqueues[cpu].nrRealTime() > 1) {
            actor = cpu;
            realTime.push(cpu, cpu);
        }
    }

    /** Task groups weigh what their loads here and elsewhere say by now ({@code update_shares}, {@code update_blocked_averages}). */
    private void updateShares(int cpu) {
        if (grouped) {
            run.loads.age(cpu);
            run.runqueues[cpu].refresh(run.now);
            run.runqueues[cpu].updateShares();
            run.view.load[cpu] = run.runqueues[cpu].weight();
            run.loads.queueChanged(cpu);
        }
    }

    private void pay(int cpu) {
        long probes = balancer.probes() - paidProbes;
        long moves = balancer.moves() - paidMoves;
        paidProbes += probes;
        paidMoves += moves;
        cpus.owe(
                cpu,
                probes * run.costs.coreNs(CostItem.BALANCE_PROBE) + moves * run.costs.coreNs(CostItem.BALANCE_MOVE),
                probes * run.costs.wallNs(CostItem.BALANCE_PROBE) + moves * run.costs.wallNs(CostItem.BALANCE_MOVE));
    }

    @Override
    public long now() {
        return run.now;
    }

    @Override
    public boolean isIdle(int cpu) {
        return run.view.nrRunning[cpu] == 0 && cpus.isIdle(cpu) && !run.view.wakePending[cpu];
    }

    @Override
    public void statisticsTaken(int cpu, SchedDomain domain) {
        run.inputs.statisticsTaken(cpu, domain.span(), domain.parameters().imbalancePercent());
    }

    @Override
    public void ageBlockedLoad(int cpu) {
        updateShares(cpu);
        run.loads.age(cpu);
    }

    @Override
    public boolean tryLockBalancing(int cpu) {
        return true;
    }

    @Override
    public void unlockBalancing(int cpu) {
        // an attempt takes no time, so nobody else can want the lock
    }

    @Override
    public void moved(int task, int from, int to, boolean reschedule) {
        run.loads.moved(task, from, to);
        if (!run.tasks.isFair(task)) {
            run.owe(actor, CostItem.BALANCE_MOVE);
        }
        run.refreshView(from);
        run.refreshView(to);
        run.events.migrated(run.now, actor, cpus.current[actor], task, run.tasks.prio[task], from, to);
        run.measurements.balanced(task, run.topology.distance(from, to).ordinal());
        if (reschedule) {
            run.wakeups.signal(actor, to);
        }
        if (run.runqueues[from].takeSignal()) {
            run.wakeups.signal(actor, from);
        }
    }

    @Override
    public void requestActiveBalance(int busiest, int target) {
        stopperTarget[busiest] = target;
        if (run.runqueues[busiest].requestReschedule()) {
            run.wakeups.signal(actor, busiest);
        }
    }

    @Override
    public void kickIdleBalancer(int cpu) {
        kicked[cpu] = true;
        run.interrupts.sendIpi(actor, cpu);
    }

    @Override
    public boolean wakeupPending(int cpu) {
        return run.view.wakePending[cpu];
    }

    @Override
    public long cost(long probes, long moves) {
        return probes * (run.costs.coreNs(CostItem.BALANCE_PROBE) + run.costs.wallNs(CostItem.BALANCE_PROBE))
                + moves * (run.costs.coreNs(CostItem.BALANCE_MOVE) + run.costs.wallNs(CostItem.BALANCE_MOVE));
    }

    @Override
    public int draw(int bound) {
        return run.noise.below(run.taskCount + 1, bound);
    }
}
