package dev.perch.kernel.placement;

import dev.perch.kernel.KernelVersion;
import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import org.jspecify.annotations.Nullable;

/** How much a hardware thread counts in {@link CpuView#capacity}, before interrupts and real-time tasks. Source: placement.md 8.6. */
enum SmtCapacity {
    /** Until 4.20 the threads of a core share 1178, a gain of 15 %, evenly. */
    SHARED,
    /** From 5.0 each thread counts in full. */
    FULL;

    private static final KernelVersion FIRST_FULL = new KernelVersion(5, 0, 0, 1);
    private static final int CORE = 1178;
    private static final int CPU = 1024;

    static SmtCapacity of(KernelVersion version) {
        return version.compareTo(FIRST_FULL) < 0 ? SHARED : FULL;
    }

    /** Capacity of a CPU whose smallest domain is {@code lowest}; 1024 = a core of its own. */
    int of(@Nullable SchedDomain lowest) {
        boolean alone = this == FULL || lowest == null || !lowest.has(DomainFlags.SHARE_CAPACITY);
        return alone ? CPU : CORE / lowest.weight();
    }
}
