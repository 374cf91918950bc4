package dev.perch.kernel;

import java.util.List;
import java.util.Map;

/** Kernels by the policy names of the specification. */
public final class TestKernels {
    private TestKernels() {}

    /** V, MK, P1, 3.2, 3.3, M2, M2S, BUD or 3.9. */
    public static Kernel policy(String policy) {
        return switch (policy) {
            case "V" -> kernel("3.2", "virgin", "every-remote", "3.2", false);
            case "MK" -> kernel("3.2", "mikie", "every-remote", "3.2", false);
            case "P1" -> kernel("3.2", "idle-core", "every-remote", "3.2", false);
            case "3.2" -> kernel("3.2", "3.2", "every-remote", "3.2", false);
            case "3.3" -> kernel("3.3", "3.3", "other-llc", "3.2", false);
            case "M2" -> kernel("3.2", "mikie2", "every-remote", "3.2", false);
            case "M2S" -> kernel("3.2", "mikie2", "every-remote", "3.2", true);
            case "BUD" -> kernel("3.3", "buddies", "other-llc", "3.5", false);
            case "3.9" -> kernel("3.7", "3.9", "other-llc", "3.5", false);
            default -> throw new IllegalArgumentException(policy);
        };
    }

    private static Kernel kernel(String caller, String search, String queue, String domains, boolean limitSync) {
        return new Kernel(
                search,
                search,
                new KernelVersion(3, 2, 0, 0),
                List.of(),
                new Kernel.RuleSets(caller, search, "3.1", queue, "3.2", domains, "3.2", "3.2", "3.2", "3.2"),
                Map.of("TTWU_QUEUE", true, "SIBLING_LIMIT_SYNC", limitSync),
                Map.of(),
                List.of());
    }
}
