package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.RuleSets;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.InputException;
import dev.perch.model.Topology;

/**
 * Puts the placement rules of a kernel together from the rule sets that its description names; once a run, so that the calls of a run
 * always reach the same classes. Source of the table: placement.md 13.
 */
public final class Placement {
    private Placement() {}

    /**
     * The rules of {@code kernel} on a machine.
     *
     * @param domains those of the kernel's own rules, {@link dev.perch.kernel.domain.DomainRules#named}
     * @throws InputException if the kernel names a rule set that there is not
     */
    public static PlacementRules rules(Kernel kernel, Topology topology, SchedDomains domains) {
        RuleSets rules = kernel.rules();
        IdleSearch search = IdleSearches.of(kernel, topology, domains);
        WakeWide wide = WakeWides.of(kernel, rules.wakeWide(), domains);
        WakeAffine affine = WakeAffines.of(kernel, rules.wakeAffine(), wide, domains, topology);
        SlowPath slowPath = SlowPaths.of(kernel, rules.slowPath(), domains, topology);
        Caller caller = Callers.of(kernel, rules.caller(), domains, search, affine, wide, slowPath);
        return new PlacementRules(topology, caller, search);
    }

    /**
     * A view of an idle machine, with the idle predicate of {@code kernel}.
     *
     * @throws InputException if the kernel names a predicate that there is not
     */
    public static CpuView view(Kernel kernel, SchedDomains domains) {
        IdlePredicate predicate = IdlePredicate.named(kernel.rules().idlePredicate());
        return new CpuView(domains, predicate, SmtCapacity.named(kernel.rules().loadTracking()));
    }

    static InputException unknown(Kernel kernel, String what, String name) {
        return new InputException("kernel " + kernel.version() + " names the " + what + " rules '" + name
                + "', which are not known; see docs/kernel-file.md for those there are");
    }
}
