package dev.perch.kernel.balance;

import java.util.Arrays;

/**
 * What the CPUs of each group add up to, kept up to date: before an attempt only the CPUs that have changed since the last one are looked
 * at, where a kernel walks over them all ({@code update_sg_lb_stats} of Linux 5.5 and later). A shortcut of this model alone: attempts
 * find and cost the same.
 *
 * <p>All sums of a group lie side by side, so that a changed CPU adds one row of differences to each of its groups. Nothing is allocated.
 */
final class GroupSums {
    private static final int LOAD = 0;
    private static final int UTIL = 1;
    private static final int RUNNABLE = 2;
    private static final int CAPACITY = 3;
    /** Two counts in one number: tasks, and above them fair tasks. */
    private static final int TASKS = 4;
    /** Three counts of CPUs: idle, with two or more tasks, of reduced capacity. */
    private static final int CPUS = 5;

    private static final int ROW = 8;
    private static final int FAIR_SHIFT = 32;
    private static final int OVERLOADED_SHIFT = 20;
    private static final int REDUCED_SHIFT = 40;
    private static final int CPUS_MASK = (1 << OVERLOADED_SHIFT) - 1;

    private final BalanceLoads averages;
    private final int cpuCount;
    /** CPUs whose figures may have changed since they were looked at, as bits. */
    private final long[] changed;

    private final int[][] groupsOf;
    private final long[] ofCpu;
    private final long[] ofGroup;
    private final long[] difference = new long[ROW];

    GroupSums(DomainTraits traits, BalanceLoads averages) {
        this.averages = averages;
        cpuCount = traits.cpuCount();
        changed = new long[(cpuCount + Long.SIZE - 1) / Long.SIZE];
        ofCpu = new long[cpuCount * ROW];
        ofGroup = new long[traits.groupCount() * ROW];
        groupsOf = new int[cpuCount][0];
        for (int group = 0; group < traits.groupCount(); group++) {
            for (int cpu : traits.members(group)) {
                int[] groups = Arrays.copyOf(groupsOf[cpu], groupsOf[cpu].length + 1);
                groups[groups.length - 1] = group;
                groupsOf[cpu] = groups;
            }
        }
        everyCpuChanged();
    }

    private void everyCpuChanged() {
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            changed(cpu);
        }
    }

    /** Figures of a CPU may have changed. */
    void changed(int cpu) {
        changed[cpu >> 6] |= 1L << cpu;
    }

    /** Brings the sums up to date. */
    void refresh(BalanceHost host) {
        if (!averages.tellsChanges()) {
            everyCpuChanged();
        }
        for (int word = 0; word < changed.length; word++) {
            long cpus = changed[word];
            changed[word] = 0;
            for (; cpus != 0; cpus &= cpus - 1) {
                look((word << 6) + Long.numberOfTrailingZeros(cpus), host);
            }
        }
    }

    private void look(int cpu, BalanceHost host) {
        int nrRunning = averages.nrRunning(cpu);
        int capacity = averages.capacity(cpu);
        int row = cpu * ROW;
        differ(row, LOAD, averages.load(cpu));
        differ(row, UTIL, averages.util(cpu));
        differ(row, RUNNABLE, averages.runnable(cpu));
        differ(row, CAPACITY, capacity);
        differ(row, TASKS, nrRunning + ((long) averages.nrFair(cpu) << FAIR_SHIFT));
        long idle = nrRunning == 0 && host.isIdle(cpu) ? 1 : 0;
        long overloaded = nrRunning > 1 ? 1 : 0;
        long reduced = capacity < averages.originalCapacity(cpu) ? 1 : 0;
        differ(row, CPUS, idle | overloaded << OVERLOADED_SHIFT | reduced << REDUCED_SHIFT);
        for (int group : groupsOf[cpu]) {
            int sums = group * ROW;
            for (int figure = 0; figure < ROW; figure++) {
                ofGroup[sums + figure] += difference[figure];
            }
        }
    }

    private void differ(int row, int figure, long value) {
        difference[figure] = value - ofCpu[row + figure];
        ofCpu[row + figure] = value;
    }

    /** Fills in what is summed over the CPUs of a group. */
    void read(int group, GroupStats stats) {
        int sums = group * ROW;
        stats.load = ofGroup[sums + LOAD];
        stats.util = ofGroup[sums + UTIL];
        stats.runnable = ofGroup[sums + RUNNABLE];
        stats.capacity = ofGroup[sums + CAPACITY];
        stats.nrRunning = (int) ofGroup[sums + TASKS];
        stats.nrFair = (int) (ofGroup[sums + TASKS] >> FAIR_SHIFT);
        stats.idleCpus = (int) ofGroup[sums + CPUS] & CPUS_MASK;
    }

    /** Whether a CPU of a group has two or more tasks. */
    boolean isAnyOverloaded(int group) {
        return (ofGroup[group * ROW + CPUS] >> OVERLOADED_SHIFT & CPUS_MASK) != 0;
    }

    /** Whether a CPU of a group has less than its own capacity left for fair tasks. */
    boolean isAnyReduced(int group) {
        return ofGroup[group * ROW + CPUS] >> REDUCED_SHIFT != 0;
    }
}
