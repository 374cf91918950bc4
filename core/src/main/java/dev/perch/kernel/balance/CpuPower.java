package dev.perch.kernel.balance;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;

/**
 * Capacities of CPUs and groups, 1024 for a CPU of its own ({@code cpu_power}; spec: scheduler.md 4.7).
 *
 * <p>Limitation: they are constant; no time is taken off for realtime tasks and interrupts.
 */
final class CpuPower {
    /** Capacity of a core with hardware threads ({@code smt_gain}), divided among them. */
    private static final int SMT_GAIN = 1178;

    private final int[] ofCpu;
    private final long[][] ofGroup;

    CpuPower(SchedDomains domains) {
        ofCpu = new int[domains.cpuCount()];
        for (int cpu = 0; cpu < ofCpu.length; cpu++) {
            SchedDomain lowest = domains.lowest(cpu);
            ofCpu[cpu] = lowest != null && lowest.has(DomainFlags.SHARE_CAPACITY)
                    ? SMT_GAIN / lowest.weight()
                    : (int) GroupLoad.POWER_OF_CPU;
        }
        ofGroup = new long[domains.all().size()][];
        for (SchedDomain domain : domains.all()) {
            long[] power = new long[domain.groupCount()];
            for (int group = 0; group < power.length; group++) {
                CpuMask cpus = domain.group(group);
                for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu + 1)) {
                    power[group] += ofCpu[cpu];
                }
            }
            ofGroup[domain.index()] = power;
        }
    }

    int ofCpu(int cpu) {
        return ofCpu[cpu];
    }

    /** Capacity of the group at a position of the ring of a domain. */
    long ofGroup(SchedDomain domain, int group) {
        return ofGroup[domain.index()][group];
    }

    /** For how many tasks there is room in a part of {@code domain} with that capacity; one even on a weak hardware thread. */
    static long roomIn(SchedDomain domain, long power) {
        long room = (power + GroupLoad.POWER_OF_CPU / 2) / GroupLoad.POWER_OF_CPU;
        return room == 0 && domain.has(DomainFlags.SHARE_CAPACITY) ? 1 : room;
    }
}
