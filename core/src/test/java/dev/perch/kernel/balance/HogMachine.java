package dev.perch.kernel.balance;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.RuleKind;
import dev.perch.kernel.RuleSets;
import dev.perch.kernel.TaskTable;
import dev.perch.kernel.TestKernels;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.CfsTunables;
import dev.perch.kernel.fair.LoadWeights;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.fair.Runqueues;
import dev.perch.kernel.load.CpuLoad;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A machine on which tasks only compute, driven tick by tick: all that balancing needs around it, and nothing takes time. */
final class HogMachine implements BalanceHost, BalanceLoads {
    final TaskTable tasks = new TaskTable(600);
    final SchedDomains domains;
    final Runqueue[] queues;
    final CpuLoad[] loads;
    final Balancer balancer;
    final int hz;

    /** Whether CPUs stop their tick while they are idle. */
    boolean nohz = true;

    boolean balancingIsLocked;
    long jiffies = 1000;
    int activeBalances;
    int kicks;

    /** What {@link #capacity(int)} says of a CPU. */
    final int[] capacity;

    private final int[] original;

    /** The domain of which statistics were last taken, if any. */
    @Nullable
    SchedDomain statisticsOf;

    /** What the next {@link #draw} says. */
    int drawn;

    int draws;
    private final boolean[] tickless;
    private final int[] activeTarget;
    private final boolean[] kicked;
    private int created;

    HogMachine(Topology topology, CpuMask partition, int hz, String balance, String nohzKick) {
        this(topology, partition, hz, rules(balance, nohzKick), false);
    }

    HogMachine(Topology topology, CpuMask partition, int hz, RuleSets rules, boolean newIdleAtRandom) {
        this.hz = hz;
        domains = SchedDomains.build(topology, List.of(partition), DomainRules.named(rules.schedDomains()));
        int cpus = topology.cpuCount();
        CfsTunables tunables = CfsTunables.scaled(cpus, Map.of());
        queues = new Runqueues(rules.runqueue(), tasks, cpus).byCpu();
        capacity = new int[cpus];
        for (int cpu = 0; cpu < cpus; cpu++) {
            capacity[cpu] = topology.capacity(cpu);
        }
        original = capacity.clone();
        loads = new CpuLoad[cpus];
        for (int cpu = 0; cpu < cpus; cpu++) {
            queues[cpu].refresh(now());
            loads[cpu] = new CpuLoad(true);
        }
        tickless = new boolean[cpus];
        kicked = new boolean[cpus];
        activeTarget = new int[cpus];
        java.util.Arrays.fill(activeTarget, -1);
        balancer = new Balancer(
                rules,
                new BalanceSettings(hz, cpus, tunables.migrationCost(), true, false, newIdleAtRandom),
                domains,
                tasks,
                queues,
                loads,
                this,
                jiffies);
    }

    /** Under the rules of a shipped kernel: its runqueues, domains, balancing and kicks. */
    static HogMachine of(String kernel, Topology topology) {
        return new HogMachine(
                topology, topology.cpus(), 250, TestKernels.named(kernel).rules(), false);
    }

    /** Rule sets with the runqueue that goes with {@code balance}. */
    static RuleSets rules(String balance, String nohzKick) {
        String runqueue = balance.equals("3.2") ? "3.2" : "3.4";
        return TestKernels.named("v3.2")
                .rules()
                .with(RuleKind.RUNQUEUE, runqueue)
                .with(RuleKind.BALANCE, balance)
                .with(RuleKind.NOHZ_KICK, nohzKick);
    }

    /** A new task of nice 0 that runs or waits on {@code cpu}; it may run anywhere. */
    int addHog(int cpu) {
        return addHog(cpu, CpuMask.range(0, queues.length - 1));
    }

    int addHog(int cpu, CpuMask allowed) {
        int task = ++created;
        LoadWeights.assign(tasks, task, TaskTable.POLICY_NORMAL, 0);
        tasks.allowed[task] = allowed;
        tasks.cpu[task] = cpu;
        queues[cpu].refresh(now());
        queues[cpu].placeNew(task);
        queues[cpu].enqueueNew(task);
        balancer.counted(cpu);
        if (queues[cpu].checkPreemptByNew(task)) {
            schedule(cpu);
        }
        return task;
    }

    /** Lets {@code ticks} ticks pass. */
    void run(int ticks) {
        for (int i = 0; i < ticks; i++) {
            jiffies++;
            for (int cpu = 0; cpu < queues.length; cpu++) {
                if (!tickless[cpu]) {
                    tick(cpu);
                }
                settle();
            }
        }
    }

    private void tick(int cpu) {
        boolean idle = isIdle(cpu);
        queues[cpu].refresh(now());
        loads[cpu].update(jiffies, queues[cpu].weight());
        queues[cpu].tick();
        if (balancer.tick(cpu, jiffies, idle, this)) {
            balancer.softirq(cpu, idle, jiffies, this);
        }
        if (nohz && isIdle(cpu) && !queues[cpu].reschedulePending()) {
            balancer.idleEntered(cpu);
            balancer.tickStopped(cpu);
            tickless[cpu] = true;
        }
    }

    /** Kicks, stoppers and switches until nothing is left to do. */
    private void settle() {
        boolean again = true;
        while (again) {
            again = false;
            for (int cpu = 0; cpu < queues.length; cpu++) {
                if (kicked[cpu]) {
                    kicked[cpu] = false;
                    balancer.softirq(cpu, isIdle(cpu), jiffies, this);
                    again = true;
                }
                if (activeTarget[cpu] >= 0) {
                    int target = activeTarget[cpu];
                    activeTarget[cpu] = -1;
                    queues[cpu].refresh(now());
                    tasks.onCpu[queues[cpu].current()] = false;
                    queues[cpu].putPrevious();
                    balancer.activeBalance(cpu, target, this);
                    schedule(cpu);
                    again = true;
                }
                if (queues[cpu].reschedulePending()) {
                    schedule(cpu);
                    again = true;
                }
            }
        }
    }

    private void schedule(int cpu) {
        if (tickless[cpu]) {
            tickless[cpu] = false;
            balancer.tickRestarted(cpu);
        }
        int previous = queues[cpu].current();
        int next = queues[cpu].schedule(now());
        if (previous != IDLE_TASK) {
            tasks.onCpu[previous] = false;
        }
        if (next != IDLE_TASK) {
            tasks.onCpu[next] = true;
        }
    }

    /** The current task of {@code cpu} blocks; the CPU looks for another. Returns whether balancing found one. */
    boolean block(int cpu) {
        int task = queues[cpu].current();
        queues[cpu].refresh(now());
        queues[cpu].dequeueSleep(task);
        boolean pulled = queues[cpu].runsDry() && balancer.newlyIdle(cpu, jiffies, this);
        schedule(cpu);
        return pulled;
    }

    @Override
    public long now() {
        return jiffies * (1_000_000_000L / hz);
    }

    @Override
    public boolean isIdle(int cpu) {
        return queues[cpu].current() == IDLE_TASK && queues[cpu].nrRunning() == 0;
    }

    @Override
    public boolean tryLockBalancing(int cpu) {
        return !balancingIsLocked;
    }

    @Override
    public void unlockBalancing(int cpu) {
        // Nobody waits: everything happens at one instant.
    }

    @Override
    public void moved(int task, int from, int to, boolean reschedule) {
        // A reschedule is noticed by settle().
    }

    @Override
    public void requestActiveBalance(int busiest, int target) {
        activeTarget[busiest] = target;
        activeBalances++;
    }

    @Override
    public void kickIdleBalancer(int cpu) {
        kicked[cpu] = true;
        kicks++;
    }

    @Override
    public boolean wakeupPending(int cpu) {
        return false;
    }

    /** A probe takes a quarter of a microsecond, a move one. */
    @Override
    public long cost(long probes, long moves) {
        return 250 * probes + 1000 * moves;
    }

    @Override
    public int draw(int bound) {
        draws++;
        return drawn;
    }

    @Override
    public void statisticsTaken(int cpu, SchedDomain domain) {
        statisticsOf = domain;
    }

    // Averages of tasks that have always been as they are now

    @Override
    public int nrRunning(int cpu) {
        return queues[cpu].nrRunning();
    }

    @Override
    public int nrFair(int cpu) {
        return queues[cpu].nrFair();
    }

    @Override
    public long weight(int cpu) {
        return queues[cpu].weight();
    }

    @Override
    public long load(int cpu) {
        return queues[cpu].weight();
    }

    @Override
    public long runnable(int cpu) {
        return 1024L * queues[cpu].nrFair();
    }

    @Override
    public long util(int cpu) {
        return queues[cpu].nrRunning() > 0 ? capacity[cpu] : 0;
    }

    @Override
    public long boostedUtil(int cpu) {
        return util(cpu);
    }

    @Override
    public int capacity(int cpu) {
        return capacity[cpu];
    }

    @Override
    public int originalCapacity(int cpu) {
        return original[cpu];
    }

    @Override
    public long misfitLoad(int cpu) {
        int running = queues[cpu].current();
        boolean fits = capacity[cpu] * 1024L > taskUtil(running) * 1280;
        return running == IDLE_TASK || fits ? 0 : taskLoad(running);
    }

    @Override
    public long taskLoad(int task) {
        return tasks.weight[task];
    }

    @Override
    public long taskUtil(int task) {
        return task == IDLE_TASK ? 0 : 1024 / Math.max(1, queues[tasks.cpu[task]].nrRunning());
    }
}
