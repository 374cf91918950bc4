package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.placement.IdleThenLoadAffine.Form;
import dev.perch.model.Topology;

/** The affine decisions by the name that kernel files give them under {@code wake-affine}. Source of the table: placement.md 8, 13. */
final class WakeAffines {
    private WakeAffines() {}

    /**
     * The decision of that name, with the features of {@code kernel}.
     *
     * @param wide asked by the forms of 3.12 – 4.2 themselves; from 4.3 on by the caller
     * @throws dev.perch.model.InputException if there is none of that name
     */
    static WakeAffine of(Kernel kernel, String id, WakeWide wide, SchedDomains domains, Topology topology) {
        return switch (id) {
            case "3.1" -> new WeightAffine(LoadTerm.WEIGHT, WakeWide.NEVER);
            case "3.12" -> new WeightAffine(LoadTerm.RUNNABLE, wide);
            case "4.0" -> new RunnableAffine(false, wide);
            case "4.3" -> new RunnableAffine(true, WakeWide.NEVER);
            case "4.13" -> new NodeAffine(domains, topology);
            case "4.14" -> new IdleThenLoadAffine(kernel, domains, Form.IDLE_PULLS);
            case "4.16" -> new IdleThenLoadAffine(kernel, domains, Form.IDLE_IN_CACHE);
            case "4.18" -> new IdleThenLoadAffine(kernel, domains, Form.STRICT);
            case "5.6" -> new IdleThenLoadAffine(kernel, domains, Form.BLOCKED_LOAD);
            case "5.11" -> new IdleThenLoadAffine(kernel, domains, Form.IDLE_PREV);
            case "6.18" -> new IdleThenLoadAffine(kernel, domains, Form.DELAYED_DEQUEUE);
            default -> throw Placement.unknown(kernel, "wake-affine", id);
        };
    }
}
