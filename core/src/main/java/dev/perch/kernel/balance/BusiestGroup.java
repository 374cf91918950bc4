package dev.perch.kernel.balance;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.load.CpuLoad;
import java.util.Arrays;

/**
 * Which group of a domain is the busiest, by how much, and which of its queues ({@code find_busiest_group}, {@code
 * update_sd_lb_stats}, {@code find_busiest_queue} of Linux 3.2 to 5.4; spec: scheduler.md 4.3 and 4.7).
 *
 * <p>Holds the state of one attempt at a time and allocates nothing.
 */
final class BusiestGroup {
    /** No queue to take tasks from. */
    static final int NO_CPU = -1;

    private final BalanceLoads present;
    private final CpuLoad[] loads;
    private final DomainTraits traits;
    private final CpuPower power;
    private final BalanceRules rules;
    private final boolean[] excluded;

    private final GroupLoad local = new GroupLoad();
    private GroupLoad busiest = new GroupLoad();
    private GroupLoad other = new GroupLoad();
    private int busiestPosition;
    private int candidates;
    private boolean allowed;
    private long probes;

    BusiestGroup(SchedDomains domains, DomainTraits traits, BalanceLoads present, CpuLoad[] loads, BalanceRules rules) {
        this.traits = traits;
        this.present = present;
        this.loads = loads;
        this.rules = rules;
        power = new CpuPower(domains);
        excluded = new boolean[loads.length];
        candidates = loads.length;
    }

    /** CPUs looked at since the beginning. */
    long probes() {
        return probes;
    }

    /** Begins an attempt: every CPU is a candidate. */
    void begin() {
        if (candidates < loads.length) {
            Arrays.fill(excluded, false);
            candidates = loads.length;
        }
        allowed = true;
    }

    /**
     * No task of {@code cpu} may move here: the search goes on without it.
     *
     * @return whether any candidate is left
     */
    boolean exclude(int cpu) {
        excluded[cpu] = true;
        candidates--;
        return candidates > 0;
    }

    /** Whether it fell to the CPU to balance the domain, as of the last {@link #find}. */
    boolean wasAllowed() {
        return allowed;
    }

    /**
     * Finds the busiest group.
     *
     * @return the load to move; {@link Imbalance#NONE} if the domain is balanced or it falls to another CPU to balance it
     */
    long find(SchedDomain domain, int cpu, BalanceMode mode, BalanceHost host) {
        int index = mode.loadIndex(domain.parameters());
        SchedDomain child = domain.child();
        boolean preferSibling = child != null && child.has(DomainFlags.PREFER_SIBLING);
        allowed = collectLocal(domain, cpu, index, mode, host);
        if (!allowed) {
            return Imbalance.NONE;
        }
        long totalLoad = local.load;
        long totalPower = local.power;
        busiest.clear();
        for (int position = 1; position < domain.groupCount(); position++) {
            collectOther(domain, position, index, host);
            totalLoad += other.load;
            totalPower += other.power;
            if (preferSibling && local.hasCapacity) {
                other.capacity = Math.min(other.capacity, 1);
            }
            if (other.average > busiest.average && (other.nrRunning > other.capacity || other.imbalanced)) {
                GroupLoad freed = busiest;
                busiest = other;
                other = freed;
                busiestPosition = position;
            }
        }
        int tasksHere = present.nrRunning(cpu);
        long perTaskHere = tasksHere == 0 ? 0 : present.weight(cpu) / tasksHere;
        return Imbalance.between(
                local, busiest, totalLoad, totalPower, mode, domain.parameters().imbalancePercent(), perTaskHere);
    }

    /** Whether balancing falls to {@code cpu}: the first idle CPU of its group, or its first; every CPU that is about to be idle. */
    private boolean collectLocal(SchedDomain domain, int cpu, int index, BalanceMode mode, BalanceHost host) {
        int[] group = members(domain, 0);
        int balancer = NO_CPU;
        local.clear();
        for (int i : group) {
            if (excluded[i]) {
                continue;
            }
            long weight = present.weight(i);
            long load = index == 0 ? weight : loads[i].targetLoad(index, weight);
            boolean idle = add(local, i, load, weight, present.nrRunning(i), host);
            if (idle && balancer == NO_CPU) {
                balancer = i;
            }
        }
        balancer = balancer == NO_CPU ? group[0] : balancer;
        complete(local, domain, 0);
        return mode == BalanceMode.NEWLY_IDLE || balancer == cpu;
    }

    private void collectOther(SchedDomain domain, int position, int index, BalanceHost host) {
        int[] group = members(domain, position);
        long highest = 0;
        long lowest = Long.MAX_VALUE;
        int tasksOfHighest = 0;
        int most = 0;
        int fewest = Integer.MAX_VALUE;
        other.clear();
        for (int i : group) {
            if (excluded[i]) {
                continue;
            }
            long weight = present.weight(i);
            long load = index == 0 ? weight : loads[i].sourceLoad(index, weight);
            int nrRunning = present.nrRunning(i);
            add(other, i, load, weight, nrRunning, host);
            if (load > highest) {
                highest = load;
                tasksOfHighest = nrRunning;
            }
            lowest = Math.min(lowest, load);
            most = Math.max(most, nrRunning);
            fewest = Math.min(fewest, nrRunning);
        }
        complete(other, domain, position);
        boolean uneven = highest - lowest >= other.weightPerTask();
        other.imbalanced = uneven && (rules.imbalancedByCounts() ? most - fewest > 1 : tasksOfHighest > 1);
    }

    private int[] members(SchedDomain domain, int position) {
        return traits.members(traits.groupNumber(domain, position));
    }

    /** Adds a CPU to its group; returns whether it is idle. */
    private boolean add(GroupLoad group, int cpu, long load, long weight, int nrRunning, BalanceHost host) {
        probes++;
        boolean idle = host.isIdle(cpu);
        group.load += load;
        group.weight += weight;
        group.nrRunning += nrRunning;
        group.idleCpus += idle ? 1 : 0;
        return idle;
    }

    private void complete(GroupLoad group, SchedDomain domain, int position) {
        group.power = power.ofGroup(domain, position);
        group.cpus = members(domain, position).length;
        group.capacity = CpuPower.roomIn(domain, group.power);
        group.summarize();
    }

    /** The CPU of the busiest group whose queue is the fullest for its capacity, or {@link #NO_CPU}. After {@link #find}. */
    int fullestCpu(SchedDomain domain, long imbalance) {
        int[] group = members(domain, busiestPosition);
        int fullest = NO_CPU;
        long most = 0;
        for (int i : group) {
            long weight = present.weight(i);
            if (excluded[i] || weight == 0) {
                continue; // what has no load is not the fullest
            }
            int cpuPower = power.ofCpu(i);
            boolean lone = CpuPower.roomIn(domain, cpuPower) > 0 && present.nrRunning(i) == 1;
            if (lone && weight > imbalance) {
                continue;
            }
            long load = weight * GroupLoad.POWER_OF_CPU / cpuPower;
            if (load > most) {
                most = load;
                fullest = i;
            }
        }
        return fullest;
    }
}
