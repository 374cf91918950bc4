package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomains;

/**
 * Wide if the wakee switches partners more often than the cache has CPUs, and the waker that many times more often than the wakee.
 *
 * <p>{@code wake_wide} of 3.12 – 4.2, asked by {@code wake_affine}. Source: placement.md 4.3.
 */
final class MasterWide implements WakeWide {
    private final SchedDomains domains;

    MasterWide(SchedDomains domains) {
        this.domains = domains;
    }

    @Override
    public boolean wide(WakeRequest request, CpuView view) {
        long factor = domains.llcSize(request.thisCpu);
        long needed = factor * request.wakeeFlips;
        boolean wide = request.wakeeFlips > factor && request.wakerFlips > needed;
        view.compare(PlacementStep.WAKE_WIDE, request.wakerFlips, needed);
        view.report(PlacementStep.WAKE_WIDE, request.thisCpu, wide);
        return wide;
    }
}
