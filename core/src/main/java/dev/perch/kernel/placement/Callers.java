package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.SchedDomains;

/** The callers by the name that kernel files give them under {@code caller}. Source of the table: placement.md 0.5, 13. */
final class Callers {
    private Callers() {}

    /**
     * The caller of that name; with the shortcut of the patch {@code wake-on-current} if the kernel has its feature.
     *
     * @throws dev.perch.model.InputException if there is none of that name
     */
    static Caller of(
            Kernel kernel,
            String id,
            SchedDomains domains,
            IdleSearch search,
            WakeAffine affine,
            WakeWide wide,
            SlowPath slowPath) {
        Caller caller = switch (id) {
            case "3.2" -> new DomainWalk(domains, search, affine, slowPath, DomainWalk.Form.FIRST);
            case "3.3" -> new DomainWalk(domains, search, affine, slowPath, DomainWalk.Form.PINNED_SHORTCUT);
            case "3.7" -> new DomainWalk(domains, search, affine, slowPath, DomainWalk.Form.STOPS_AT_AFFINE);
            case "balance-map" -> new BalanceMap(domains, search, affine, slowPath);
            case "4.0" -> new DomainWalk(domains, search, affine, slowPath, DomainWalk.Form.ALWAYS_SEARCHES);
            case "4.3", "4.9", "5.7", "5.8", "5.15", "6.6" ->
                new AffineOrSlowWalk(domains, search, affine, wide, slowPath, form(id));
            default -> throw Placement.unknown(kernel, "caller", id);
        };
        return kernel.has("WAKE_ON_CURRENT") ? new WakeOnCurrent(caller) : caller;
    }

    /** For an id of 4.3 or later. */
    private static AffineOrSlowWalk.Form form(String id) {
        return switch (id) {
            case "4.3" -> AffineOrSlowWalk.Form.WIDE_IN_CALLER;
            case "4.9" -> AffineOrSlowWalk.Form.WAKE_CAP;
            case "5.7" -> AffineOrSlowWalk.Form.NO_WAKE_CAP;
            case "5.8" -> AffineOrSlowWalk.Form.NO_BALANCE_FLAG;
            case "5.15" -> AffineOrSlowWalk.Form.NO_WAKER_RECENT;
            default -> AffineOrSlowWalk.Form.CURRENT_CPU;
        };
    }
}
