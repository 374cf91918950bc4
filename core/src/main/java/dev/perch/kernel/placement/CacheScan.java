package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;

/** The part of an idle search that scans the target's last-level cache, once no single guess was right (S6 – S8 of placement.md 5.1). */
interface CacheScan {
    /**
     * The CPU found, or −1.
     *
     * @param cache LLC domain of {@code target}, which is busy
     */
    int scan(SchedDomain cache, WakeRequest request, int target, CpuView view);
}
