package dev.perch.kernel.balance;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What balancing by types asks of the shape of domains and their groups, prepared once: which groups are cores with hardware threads, how
 * many cores they have, which CPUs may balance for a group, and which CPUs have their root domain in common.
 */
final class DomainTraits {
    private final boolean[][] smt;
    private final int[][] cores;
    private final int[][] groupNumber;
    private final int[][] members;
    private final CpuMask[] balanceMask;
    private final CpuMask[] core;
    private final int[] root;
    private final int roots;

    DomainTraits(SchedDomains domains) {
        int cpus = domains.cpuCount();
        core = new CpuMask[cpus];
        root = new int[cpus];
        for (int cpu = 0; cpu < cpus; cpu++) {
            SchedDomain lowest = domains.lowest(cpu);
            core[cpu] = lowest != null && lowest.has(DomainFlags.SHARE_CAPACITY) ? lowest.span() : CpuMask.of(cpu);
            root[cpu] = rootOf(cpu, domains.partitions());
        }
        roots = domains.partitions().size() + 1;
        int count = domains.all().size();
        smt = new boolean[count][];
        cores = new int[count][];
        groupNumber = new int[count][];
        balanceMask = new CpuMask[count];
        Map<CpuMask, Integer> numbers = new LinkedHashMap<>();
        for (SchedDomain domain : domains.all()) {
            int index = domain.index();
            smt[index] = new boolean[domain.groupCount()];
            cores[index] = new int[domain.groupCount()];
            groupNumber[index] = new int[domain.groupCount()];
            for (int at = 0; at < domain.groupCount(); at++) {
                CpuMask group = domain.group(at);
                smt[index][at] = group.count() > 1 && group.equals(core[group.first()]);
                cores[index][at] = coresOf(group);
                numbers.putIfAbsent(group, numbers.size());
                groupNumber[index][at] = numbers.get(group);
            }
            balanceMask[index] = domain.has(DomainFlags.OVERLAP) ? balancers(domain, domains) : domain.group(0);
        }
        members = numbers.keySet().stream().map(CpuMask::toArray).toArray(int[][]::new);
    }

    /** The flag that domains must have to be balanced at all; 0 where all are. */
    static int takesPart(SchedDomains domains) {
        return domains.rules().since(DomainRules.FROM_5_8) ? 0 : DomainFlags.LOAD_BALANCE;
    }

    /** CPUs outside all partitions share the last number. */
    private static int rootOf(int cpu, List<CpuMask> partitions) {
        int at = 0;
        while (at < partitions.size() && !partitions.get(at).contains(cpu)) {
            at++;
        }
        return at;
    }

    private int coresOf(CpuMask group) {
        int count = 0;
        for (int cpu = group.first(); cpu >= 0; cpu = group.next(cpu + 1)) {
            count += core[cpu].nextAnd(group, 0) == cpu ? 1 : 0;
        }
        return count;
    }

    /** Of an overlapping local group, the CPUs that see it as their own ({@code group_balance_mask}). */
    private static CpuMask balancers(SchedDomain domain, SchedDomains domains) {
        CpuMask group = domain.group(0);
        List<Integer> found = new ArrayList<>();
        for (int cpu = group.first(); cpu >= 0; cpu = group.next(cpu + 1)) {
            SchedDomain own = domains.lowest(cpu);
            while (own != null && own.levelIndex() < domain.levelIndex()) {
                own = own.parent();
            }
            if (own != null
                    && own.levelIndex() == domain.levelIndex()
                    && own.group(0).equals(group)) {
                found.add(cpu);
            }
        }
        int[] cpus = found.stream().mapToInt(Integer::intValue).toArray();
        return CpuMask.of(cpus);
    }

    int cpuCount() {
        return core.length;
    }

    /** Whether a group is a core with hardware threads. */
    boolean isSmt(SchedDomain domain, int group) {
        return smt[domain.index()][group];
    }

    /** Number of a group among all groups of all domains, of which those of the same CPUs are one. */
    int groupNumber(SchedDomain domain, int group) {
        return groupNumber[domain.index()][group];
    }

    int groupCount() {
        return members.length;
    }

    /** The CPUs of the group of that number, ascending; not to be changed. */
    int[] members(int groupNumber) {
        return members[groupNumber];
    }

    /** Cores of a group. */
    int cores(SchedDomain domain, int group) {
        return cores[domain.index()][group];
    }

    /** The CPUs of the local group one of which balances the domain for it. */
    CpuMask balanceMask(SchedDomain domain) {
        return balanceMask[domain.index()];
    }

    /** The hardware threads of the CPU's core. */
    CpuMask core(int cpu) {
        return core[cpu];
    }

    /** Number of the root domain of a CPU, from 0. */
    int root(int cpu) {
        return root[cpu];
    }

    int rootCount() {
        return roots;
    }

    /** Whether the other hardware threads of the CPU's core are idle ({@code is_core_idle}). */
    boolean othersOfCoreIdle(int cpu, BalanceHost host) {
        CpuMask threads = core[cpu];
        for (int other = threads.first(); other >= 0; other = threads.next(other + 1)) {
            if (other != cpu && !host.isIdle(other)) {
                return false;
            }
        }
        return true;
    }
}
