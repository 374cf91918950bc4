package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.SchedDomains;

/** The tests for wide wakers by the name that kernel files give them under {@code wake-wide}. Source of the table: placement.md 4, 13. */
final class WakeWides {
    private WakeWides() {}

    /**
     * The test of that name. {@code 3.12} and {@code 4.0} ask the same; how flips are forgotten, in which they differ, is the business of
     * load tracking.
     *
     * @throws dev.perch.model.InputException if there is none
     */
    static WakeWide of(Kernel kernel, String id, SchedDomains domains) {
        return switch (id) {
            case "none" -> WakeWide.NEVER;
            case "3.12", "4.0" -> new MasterWide(domains);
            case "4.3" -> new SymmetricWide(domains);
            default -> throw Placement.unknown(kernel, "wake-wide", id);
        };
    }
}
