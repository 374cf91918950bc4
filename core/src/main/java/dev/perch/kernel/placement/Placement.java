package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.RuleSets;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.load.LoadTracking;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.Optional;

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
     * @throws InputException if the kernel names a rule set that there is not, or a policy of one's own that cannot be used
     */
    public static PlacementRules rules(Kernel kernel, Topology topology, SchedDomains domains) {
        IdleSearch search = IdleSearches.of(kernel, topology, domains);
        Optional<String> file = kernel.policy();
        if (file.isEmpty()) {
            return new PlacementRules(topology, caller(kernel, topology, domains, search), search);
        }
        GuardedPolicy policy = new GuardedPolicy(file.get(), PolicySource.load(file.get()), topology, domains);
        IdleSearch changed = policy.search(search);
        return new PlacementRules(topology, policy.caller(caller(kernel, topology, domains, changed)), changed);
    }

    private static Caller caller(Kernel kernel, Topology topology, SchedDomains domains, IdleSearch search) {
        RuleSets rules = kernel.rules();
        WakeWide wide = WakeWides.of(kernel, rules.wakeWide(), domains);
        WakeAffine affine = WakeAffines.of(kernel, rules.wakeAffine(), wide, domains, topology);
        SlowPath slowPath = SlowPaths.of(kernel, rules.slowPath(), domains, topology);
        return Callers.of(kernel, rules.caller(), domains, search, affine, wide, slowPath);
    }

    /**
     * A view of an idle machine, with the idle predicate of {@code kernel}.
     *
     * @throws InputException if the kernel names a predicate that there is not
     */
    public static CpuView view(Kernel kernel, SchedDomains domains) {
        IdlePredicate predicate = IdlePredicate.named(kernel.rules().idlePredicate());
        return new CpuView(
                domains,
                predicate,
                LoadTracking.named(kernel.rules().loadTracking()).capacity());
    }

    static InputException unknown(Kernel kernel, String what, String name) {
        return new InputException("kernel " + kernel.version() + " names the " + what + " rules '" + name
                + "', which are not known; see docs/kernel-file.md for those there are");
    }
}
