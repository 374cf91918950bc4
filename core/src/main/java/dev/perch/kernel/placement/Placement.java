package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
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
        IdleSearch search = IdleSearches.of(kernel, domains);
        return new PlacementRules(topology, caller(kernel, domains, search), search);
    }

    /**
     * A view of an idle machine, with the idle predicate of {@code kernel}.
     *
     * @throws InputException if the kernel names a predicate that there is not
     */
    public static CpuView view(Kernel kernel, SchedDomains domains) {
        return new CpuView(domains, IdlePredicate.named(kernel.rules().idlePredicate()));
    }

    private static Caller caller(Kernel kernel, SchedDomains domains, IdleSearch search) {
        WakeAffine affine = wakeAffine(kernel);
        SlowPath slowPath = new SlowPath(domains);
        return switch (kernel.rules().caller()) {
            case "3.2" -> new DomainWalk(domains, search, affine, slowPath, false, false);
            case "3.3" -> new DomainWalk(domains, search, affine, slowPath, true, false);
            case "3.7" -> new DomainWalk(domains, search, affine, slowPath, true, true);
            default -> throw unknown(kernel, "caller", kernel.rules().caller());
        };
    }

    private static WakeAffine wakeAffine(Kernel kernel) {
        return switch (kernel.rules().wakeAffine()) {
            case "3.1" -> new WeightAffine();
            default -> throw unknown(kernel, "wake-affine", kernel.rules().wakeAffine());
        };
    }

    static InputException unknown(Kernel kernel, String what, String name) {
        return new InputException("kernel " + kernel.version() + " names the " + what + " rules '" + name
                + "', which are not known; see docs/kernel-file.md for those there are");
    }
}
