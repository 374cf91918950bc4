package dev.perch.kernel;

import java.nio.file.Path;

/** Kernels of the shipped files, by expression or by the policy names of the specification. */
public final class TestKernels {
    /** The folder that holds {@code kernels}. */
    public static final Path HOME = Path.of(System.getProperty("perch.home", ".."));

    private TestKernels() {}

    public static Kernel named(String expression) {
        return Kernels.resolve(expression, HOME);
    }

    /** V, MK, P1, 3.2, 3.3, M2, M2S, BUD or 3.9. */
    public static Kernel policy(String policy) {
        return named(
                switch (policy) {
                    case "V" -> "v3.2-rc1";
                    case "MK" -> "v3.2-rc1+mikie";
                    case "P1" -> "v3.2-rc1+idle-core";
                    case "3.2" -> "v3.2";
                    case "3.3" -> "v3.3";
                    case "M2" -> "v3.2-rc1+mikie2";
                    case "M2S" -> "v3.2-rc1+mikie2,SIBLING_LIMIT_SYNC";
                    case "BUD" -> "v3.6-rc1";
                    case "3.9" -> "v3.9";
                    default -> throw new IllegalArgumentException(policy);
                });
    }
}
