package dev.perch.kernel;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * One version of the kernel as its file in {@code kernels/} describes it, what it takes over from its base version included. Immutable.
 * docs/kernel-file.md says what the parts mean.
 *
 * @param name the version as its file is named: {@code v3.3}, or {@code v6.1.0} where point releases of the series differ
 * @param version the version
 * @param title one line for people
 * @param source where the statements come from
 * @param notes what a user of this kernel should know
 * @param rules rule set ids by kind
 * @param features feature bits with their defaults
 * @param withoutEffect the features that exist but that the model does not consult
 * @param tunables by name
 * @param patches those that fit, by name; those of older versions first
 */
public record KernelDescription(
        String name,
        KernelVersion version,
        String title,
        String source,
        List<String> notes,
        Map<RuleKind, String> rules,
        Map<String, Boolean> features,
        Set<String> withoutEffect,
        Map<String, Tunable> tunables,
        Map<String, Patch> patches) {

    public KernelDescription {
        notes = List.copyOf(notes);
        rules = copy(rules);
        features = Collections.unmodifiableMap(new TreeMap<>(features));
        withoutEffect = Set.copyOf(withoutEffect);
        tunables = Collections.unmodifiableMap(new TreeMap<>(tunables));
        patches = Collections.unmodifiableMap(new LinkedHashMap<>(patches));
    }

    private static Map<RuleKind, String> copy(Map<RuleKind, String> rules) {
        Map<RuleKind, String> copy = new EnumMap<>(RuleKind.class);
        copy.putAll(rules);
        return Collections.unmodifiableMap(copy);
    }

    /**
     * A change that can be applied to a version.
     *
     * @param name as in expressions
     * @param describedBy name of the version whose file describes it
     * @param title one line for people
     * @param source where it comes from
     * @param notes what a user of it should know
     * @param rules the rule sets that it puts in place of the version's, by kind
     * @param features the feature bits that it adds or whose defaults it changes
     * @param fits which versions it fits
     */
    public record Patch(
            String name,
            String describedBy,
            String title,
            String source,
            List<String> notes,
            Map<RuleKind, String> rules,
            Map<String, Boolean> features,
            Fits fits) {
        public Patch {
            notes = List.copyOf(notes);
            rules = copy(rules);
            features = Collections.unmodifiableMap(new TreeMap<>(features));
        }
    }

    /** The versions that a patch fits, beginning with the one that describes it. */
    public sealed interface Fits {
        /** That one only. */
        record Itself() implements Fits {}

        /** All up to {@code last}. */
        record Through(KernelVersion last) implements Fits {}

        /** All that follow. */
        record AllLater() implements Fits {}

        /** Whether a version that is based on the describing one inherits the patch. */
        default boolean inheritedBy(KernelVersion version) {
            return switch (this) {
                case Itself _ -> false;
                case Through through -> version.compareTo(through.last) <= 0;
                case AllLater _ -> true;
            };
        }
    }

    /**
     * A tunable.
     *
     * @param value the default; empty if the kernel computes it at boot from the number of CPUs
     * @param min least value that the kernel accepts
     * @param max greatest value that the kernel accepts
     */
    public record Tunable(OptionalLong value, long min, long max) {}
}
