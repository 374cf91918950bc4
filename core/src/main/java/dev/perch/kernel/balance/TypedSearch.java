package dev.perch.kernel.balance;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.model.CpuMask;
import java.util.Arrays;

/**
 * Which group of a domain is the busiest by type, what is to move from it, and from which of its queues ({@code should_we_balance}, {@code
 * update_sd_lb_stats}, {@code find_busiest_group}, {@code find_busiest_queue} of Linux 5.5 and later; spec: scheduler.md 4.3, 4.8).
 *
 * <p>Holds the state of one attempt at a time and allocates nothing. Limitation: of NUMA balancing nothing is known.
 */
final class TypedSearch {
    /** No queue to take tasks from. */
    static final int NO_CPU = -1;

    private final Runqueue[] queues;
    private final BalanceLoads averages;
    private final DomainTraits traits;
    private final PinnedMarks marks;
    private final Overload overload;
    private final GroupSums sums;
    private final BalanceVersion version;
    private final BusiestOrder order;
    private final boolean[] excluded;
    private int excludedCount;

    /** What was found. */
    final TypedImbalance imbalance;

    private final GroupStats local = new GroupStats();
    private GroupStats busiest = new GroupStats();
    private GroupStats other = new GroupStats();
    private boolean found;
    private boolean allowed;
    private boolean overloadSeen;
    private long probes;

    TypedSearch(
            Runqueue[] queues,
            BalanceLoads averages,
            DomainTraits traits,
            PinnedMarks marks,
            Overload overload,
            GroupSums sums,
            BalanceVersion version) {
        this.queues = queues;
        this.averages = averages;
        this.traits = traits;
        this.marks = marks;
        this.overload = overload;
        this.sums = sums;
        this.version = version;
        order = new BusiestOrder(averages, version);
        imbalance = new TypedImbalance(version);
        excluded = new boolean[queues.length];
    }

    /** CPUs looked at since the beginning. */
    long probes() {
        return probes;
    }

    /** Begins an attempt: every CPU is a candidate. */
    void begin() {
        if (excludedCount > 0) {
            Arrays.fill(excluded, false);
            excludedCount = 0;
        }
    }

    /** The search goes on without a CPU. */
    void exclude(int cpu) {
        excludedCount += excluded[cpu] ? 0 : 1;
        excluded[cpu] = true;
    }

    /** Whether a CPU is still a candidate. */
    boolean isCandidate(int cpu) {
        return !excluded[cpu];
    }

    /** Whether a domain has candidates outside its local group. */
    boolean hasOtherCandidates(SchedDomain domain) {
        CpuMask span = domain.span();
        for (int cpu = span.first(); cpu >= 0; cpu = span.next(cpu + 1)) {
            if (!excluded[cpu] && !domain.group(0).contains(cpu)) {
                return true;
            }
        }
        return false;
    }

    /** Whether it fell to the CPU to balance the domain, as of the last {@link #find}. */
    boolean wasAllowed() {
        return allowed;
    }

    /**
     * Finds the busiest group and what should move from it.
     *
     * @return whether something should, and it falls to the CPU to do so
     */
    boolean find(SchedDomain domain, int cpu, BalanceMode mode, BalanceHost host) {
        allowed = !excluded[cpu] && mayBalance(domain, cpu, mode, host);
        if (!allowed) {
            return false;
        }
        overloadSeen = false;
        found = false;
        sums.refresh(host);
        collect(local, domain, 0, cpu, mode, host);
        long totalLoad = local.load;
        long totalCapacity = local.capacity;
        for (int position = 1; position < domain.groupCount(); position++) {
            collect(other, domain, position, cpu, mode, host);
            totalLoad += other.load;
            totalCapacity += other.capacity;
            if (order.isBusier(other, found ? busiest : null, local, domain, cpu, traits, host)) {
                GroupStats freed = busiest;
                busiest = other;
                other = freed;
                found = true;
            }
        }
        if (domain.parent() == null) {
            overload.found(cpu, overloadSeen);
        }
        if (mode != BalanceMode.NEWLY_IDLE) {
            host.statisticsTaken(cpu, domain);
        }
        return imbalance.find(local, found ? busiest : null, totalLoad, totalCapacity, domain, mode);
    }

    /**
     * Whether balancing falls to {@code cpu}: it is about to be idle, or the first idle CPU of its group, from 6.12 on rather one on an
     * idle core, or the first of its group.
     */
    private boolean mayBalance(SchedDomain domain, int cpu, BalanceMode mode, BalanceHost host) {
        boolean cores = version.since(BalanceVersion.V6_12);
        if (mode == BalanceMode.NEWLY_IDLE) {
            return !cores || queues[cpu].nrRunning() == 0 && !host.wakeupPending(cpu);
        }
        boolean wholeCores = cores && !domain.has(DomainFlags.SHARE_CAPACITY);
        CpuMask mask = traits.balanceMask(domain);
        int idleThread = NO_CPU;
        for (int i = mask.first(); i >= 0; i = mask.next(i + 1)) {
            probes++;
            if (excluded[i] || !host.isIdle(i)) {
                continue;
            }
            if (!wholeCores || traits.othersOfCoreIdle(i, host)) {
                return i == cpu;
            }
            idleThread = idleThread == NO_CPU ? i : idleThread;
        }
        return idleThread == NO_CPU ? mask.first() == cpu : idleThread == cpu;
    }

    private void collect(
            GroupStats group, SchedDomain domain, int position, int cpu, BalanceMode mode, BalanceHost host) {
        group.clear();
        int number = traits.groupNumber(domain, position);
        int[] cpus = traits.members(number);
        group.position = position;
        group.weight = cpus.length;
        group.smt = traits.isSmt(domain, position);
        group.cores = traits.cores(domain, position);
        group.pinned = marks.isSet(domain, cpus[0]);
        sums.read(number, group);
        if (excludedCount == 0) {
            probes += cpus.length;
            overloadSeen |= sums.isAnyOverloaded(number);
        } else {
            addCandidates(group, cpus, host);
        }
        boolean idle = mode != BalanceMode.BUSY;
        if (domain.has(DomainFlags.ASYM_CAPACITY)) {
            compareCapacities(group, cpus);
            if (position > 0) {
                addMisfits(group, cpus);
            }
        } else if (position > 0 && idle && version.since(BalanceVersion.V6_12) && sums.isAnyReduced(number)) {
            addReduced(group, cpus, domain);
        }
        if (position > 0 && idle && group.nrFair > 0) {
            if (averages.packs(domain)) {
                group.preferredCpu = preferred(cpus);
                group.asymPacking = order.packs(group, local, domain, cpu, traits, host);
            }
            group.smtBusy = version.since(BalanceVersion.V6_12) && group.smt && group.nrFair > 1;
        }
        group.classify(domain.parameters().imbalancePercent());
    }

    /** Sums that count candidates only, where not all CPUs are. */
    private void addCandidates(GroupStats group, int[] cpus, BalanceHost host) {
        group.load = 0;
        group.util = 0;
        group.runnable = 0;
        group.nrRunning = 0;
        group.nrFair = 0;
        group.idleCpus = 0;
        for (int cpu : cpus) {
            if (!excluded[cpu]) {
                int nrRunning = averages.nrRunning(cpu);
                probes++;
                group.load += averages.load(cpu);
                group.util += averages.util(cpu);
                group.runnable += averages.runnable(cpu);
                group.nrRunning += nrRunning;
                group.nrFair += averages.nrFair(cpu);
                group.idleCpus += nrRunning == 0 && host.isIdle(cpu) ? 1 : 0;
                overloadSeen |= nrRunning > 1;
            }
        }
    }

    private void compareCapacities(GroupStats group, int[] cpus) {
        for (int cpu : cpus) {
            group.minCapacity = Math.min(group.minCapacity, averages.capacity(cpu));
            group.maxCapacity = Math.max(group.maxCapacity, averages.capacity(cpu));
        }
    }

    private void addMisfits(GroupStats group, int[] cpus) {
        for (int cpu : cpus) {
            if (!excluded[cpu]) {
                long misfit = averages.misfitLoad(cpu);
                group.misfitLoad = Math.max(group.misfitLoad, misfit);
                overloadSeen |= misfit > 0;
            }
        }
    }

    private void addReduced(GroupStats group, int[] cpus, SchedDomain domain) {
        for (int cpu : cpus) {
            if (!excluded[cpu] && averages.nrFair(cpu) == 1 && isReduced(cpu, domain)) {
                group.misfitLoad = Math.max(group.misfitLoad, averages.load(cpu));
            }
        }
    }

    /** The CPU of the highest priority, the first of several. */
    private int preferred(int[] cpus) {
        int preferred = cpus[0];
        for (int cpu : cpus) {
            if (averages.priority(cpu) > averages.priority(preferred)) {
                preferred = cpu;
            }
        }
        return preferred;
    }

    /** Whether other classes and interrupts have taken much of a CPU's capacity ({@code check_cpu_capacity}). */
    boolean isReduced(int cpu, SchedDomain domain) {
        return (long) averages.capacity(cpu) * domain.parameters().imbalancePercent()
                < averages.originalCapacity(cpu) * 100L;
    }

    /** The CPU of the busiest group from which to move {@link #imbalance} to {@code cpu}, or {@link #NO_CPU}. After {@link #find}. */
    int fullestCpu(SchedDomain domain, int cpu) {
        int fullest = NO_CPU;
        long most = 0;
        long capacityOfMost = 1;
        for (int i : traits.members(traits.groupNumber(domain, busiest.position))) {
            int nrFair = averages.nrFair(i);
            if (excluded[i] || nrFair == 0 || nrFair == 1 && keepsLone(i, cpu, domain)) {
                continue;
            }
            long capacity = averages.capacity(i);
            long measure = measure(i, nrFair);
            boolean load = imbalance.kind == MigrationKind.LOAD;
            if (load && nrFair == 1 && measure > imbalance.amount && !isReduced(i, domain)) {
                continue;
            }
            // loads count for the CPU's capacity, by cross-multiplication
            if (load ? measure * capacityOfMost > most * capacity : measure > most) {
                most = measure;
                capacityOfMost = capacity;
                fullest = i;
            }
        }
        return fullest;
    }

    private boolean keepsLone(int cpu, int destination, SchedDomain domain) {
        return domain.has(DomainFlags.ASYM_CAPACITY)
                        && !GroupStats.greater(averages.capacity(destination), averages.capacity(cpu))
                || averages.packs(domain) && averages.priority(cpu) > averages.priority(destination);
    }

    private long measure(int cpu, int nrFair) {
        return switch (imbalance.kind) {
            case LOAD -> averages.load(cpu);
            case UTIL -> nrFair <= 1 ? 0 : averages.boostedUtil(cpu);
            case TASKS -> nrFair;
            case MISFIT -> averages.misfitLoad(cpu);
        };
    }
}
