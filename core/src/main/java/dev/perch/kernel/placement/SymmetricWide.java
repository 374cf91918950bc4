package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomains;

/**
 * Wide if the steadier of the two switches partners at least as often as the cache has CPUs, and the other that many times as often;
 * whichever of them wakes.
 *
 * <p>{@code wake_wide} of 4.3 and later, asked by the caller. Source: placement.md 4.4.
 */
final class SymmetricWide implements WakeWide {
    private final SchedDomains domains;

    SymmetricWide(SchedDomains domains) {
        this.domains = domains;
    }

    @Override
    public boolean wide(WakeRequest request, CpuView view) {
        long factor = domains.llcSize(request.thisCpu);
        long master = Math.max(request.wakerFlips, request.wakeeFlips);
        long slave = Math.min(request.wakerFlips, request.wakeeFlips);
        boolean wide = slave >= factor && master >= slave * factor;
        view.compare(PlacementStep.WAKE_WIDE, master, slave * factor);
        view.report(PlacementStep.WAKE_WIDE, request.thisCpu, wide);
        return wide;
    }
}
