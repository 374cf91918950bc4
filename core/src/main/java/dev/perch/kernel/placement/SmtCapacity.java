package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import org.jspecify.annotations.Nullable;

/** How much a hardware thread counts in {@link CpuView#capacity}, before interrupts and real-time tasks. Source: placement.md 8.6. */
enum SmtCapacity {
    /** Until 4.20 the threads of a core share 1178, a gain of 15 %, evenly. */
    SHARED,
    /** From 5.0 each thread counts in full. */
    FULL;

    private static final int CORE = 1178;
    private static final int CPU = 1024;

    /** What goes with the rules that a kernel file names under {@code load-tracking}. */
    static SmtCapacity named(String loadTracking) {
        return switch (loadTracking) {
            case "3.2", "3.8", "3.11", "3.12", "3.13", "4.0", "4.3", "4.12", "4.17" -> SHARED;
            default -> FULL;
        };
    }

    /** Capacity of a CPU whose smallest domain is {@code lowest}; 1024 = a core of its own. */
    int of(@Nullable SchedDomain lowest) {
        if (this == FULL || lowest == null || !lowest.has(DomainFlags.SHARE_CAPACITY)) {
            return CPU;
        }
        return CORE / lowest.weight();
    }
}
