package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.SchedDomains;

/** The idle searches by the name that kernel files give them; the table of placement.md 0.6 and 13.2. */
final class IdleSearches {
    private IdleSearches() {}

    /**
     * The search of {@code kernel} over its domains.
     *
     * @throws dev.perch.model.InputException if the kernel names one that there is not
     */
    static IdleSearch of(Kernel kernel, SchedDomains domains) {
        return switch (kernel.rules().idleSearch()) {
            case "virgin" -> new VirginSearch(domains);
            case "idle-core" -> new IdleCoreSearch(domains);
            case "3.2" -> new CoresThenThreadsSearch(domains);
            case "mikie" -> new MikieSearch(domains);
            case "mikie2" -> new Mikie2Search(domains, kernel.has("SIBLING_LIMIT_SYNC"));
            case "3.3" -> new TopDownSearch(domains);
            case "buddies" -> new BuddySearch(domains);
            case "3.9" -> new IdlePrevSearch(domains);
            default -> throw Placement.unknown(kernel, "idle-search", kernel.rules().idleSearch());
        };
    }
}
