package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.Topology;

/** The idle searches by the name that kernel files give them; the table of placement.md 0.6. From 4.9 on {@link SearchRules} goes on. */
final class IdleSearches {
    private IdleSearches() {}

    /**
     * The search of {@code kernel} on a machine.
     *
     * @throws dev.perch.model.InputException if the kernel names one that there is not
     */
    static IdleSearch of(Kernel kernel, Topology topology, SchedDomains domains) {
        return switch (kernel.rules().idleSearch()) {
            case "virgin" -> new VirginSearch(domains);
            case "idle-core" -> new IdleCoreSearch(domains);
            case "3.2" -> new CoresThenThreadsSearch(domains);
            case "mikie" -> new MikieSearch(domains);
            case "mikie2" -> new Mikie2Search(domains, kernel.has("SIBLING_LIMIT_SYNC"));
            case "3.3" -> new TopDownSearch(domains);
            case "buddies" -> new BuddySearch(domains);
            case "3.9" -> new IdlePrevSearch(domains);
            default -> scanning(kernel, topology, domains);
        };
    }

    private static IdleSearch scanning(Kernel kernel, Topology topology, SchedDomains domains) {
        SearchRules rules = SearchRules.named(kernel.rules().idleSearch());
        if (rules == null) {
            throw Placement.unknown(kernel, "idle-search", kernel.rules().idleSearch());
        }
        return CacheSearch.of(rules, kernel, topology, domains);
    }
}
