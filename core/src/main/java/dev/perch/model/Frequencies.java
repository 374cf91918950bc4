package dev.perch.model;

import java.util.List;

/**
 * Clocks of a machine: what a governor may request and what the hardware does with it.
 *
 * @param nominalKhz the clock at which {@link Cost#coreNs} is stated
 * @param pStatesKhz table entries in ascending order; with turbo on, {@code turboEntryKhz} is one more, the highest
 * @param turboEntryKhz the entry that stands for turbo, or 0 if there is none
 * @param turboBinsKhz real clock at the turbo entry by number of active cores: element 0 for one; the last serves all larger numbers;
 *     empty without turbo
 * @param transitionLatencyUs as firmware reports it
 * @param domain which CPUs share one clock: the highest request among them wins
 * @param policy which CPUs share one request, and so one governor
 */
public record Frequencies(
        int nominalKhz,
        List<Integer> pStatesKhz,
        int turboEntryKhz,
        List<Integer> turboBinsKhz,
        int transitionLatencyUs,
        Domain domain,
        Policy policy) {

    /** A set of CPUs that share one clock. */
    public enum Domain {
        CORE,
        CLUSTER,
        LLC,
        PACKAGE
    }

    /** A set of CPUs for which a governor makes one request ({@code cpufreq_policy}). */
    public enum Policy {
        /** Each CPU asks for itself; the hardware puts the requests of a domain together. */
        CPU,
        /** One request for all CPUs that share a clock. */
        DOMAIN
    }

    public Frequencies {
        pStatesKhz = List.copyOf(pStatesKhz);
        turboBinsKhz = List.copyOf(turboBinsKhz);
    }

    /** What a governor chooses from: the table, with the turbo entry if {@code turbo}. */
    public int[] table(boolean turbo) {
        boolean extra = turbo && turboEntryKhz > 0;
        int[] table = new int[pStatesKhz.size() + (extra ? 1 : 0)];
        for (int i = 0; i < pStatesKhz.size(); i++) {
            table[i] = pStatesKhz.get(i);
        }
        if (extra) {
            table[table.length - 1] = turboEntryKhz;
        }
        return table;
    }

    /** The real clock for a request, with {@code activeCores} ≥ 1 cores active in the package. */
    public int effectiveKhz(int requestKhz, int activeCores) {
        if (requestKhz != turboEntryKhz || turboBinsKhz.isEmpty()) {
            return requestKhz;
        }
        return turboBinsKhz.get(Math.min(Math.max(activeCores, 1), turboBinsKhz.size()) - 1);
    }
}
