package dev.perch.sim.check;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.fair.CfsTunables;

/**
 * What bounds virtual time on a machine. Times are ns.
 *
 * @param tunables of CFS
 * @param sleeperCredit how far behind its queue CFS places a task that has slept, at most: latency, or half of it
 * @param idleCredit the same of a task under SCHED_IDLE: from 5.16 on the minimum granularity counts in place of latency
 * @param nextBuddy whether every wakee is nominated to run next
 * @param tickNs time between two ticks
 */
public record VirtualTimeRules(
        CfsTunables tunables, long sleeperCredit, long idleCredit, boolean nextBuddy, long tickNs) {
    /** Those of a kernel on a machine of so many CPUs. */
    public static VirtualTimeRules of(Kernel kernel, int cpus, int hz) {
        CfsTunables tunables = CfsTunables.scaled(cpus, kernel.tunables());
        boolean gentle = kernel.features().getOrDefault("GENTLE_FAIR_SLEEPERS", true);
        int shift = gentle ? 1 : 0;
        return new VirtualTimeRules(
                tunables,
                tunables.latency() >> shift,
                Math.max(tunables.latency(), tunables.minGranularity()) >> shift,
                kernel.features().getOrDefault("NEXT_BUDDY", false),
                1_000_000_000L / hz);
    }
}
