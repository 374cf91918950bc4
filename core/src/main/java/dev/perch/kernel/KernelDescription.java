package dev.perch.kernel;

import java.util.Collections;
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
 * @param version the version
 * @param title one line for people
 * @param source where the statements come from
 * @param notes what a user of this kernel should know
 * @param rules rule set names by kind
 * @param features feature bits with their defaults
 * @param withoutEffect the features that exist but that the model does not consult
 * @param tunables by name
 * @param patches by name, in file order
 */
public record KernelDescription(
        KernelVersion version,
        String title,
        String source,
        List<String> notes,
        Map<String, String> rules,
        Map<String, Boolean> features,
        Set<String> withoutEffect,
        Map<String, Tunable> tunables,
        Map<String, Patch> patches) {

    public KernelDescription {
        notes = List.copyOf(notes);
        rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
        features = Collections.unmodifiableMap(new TreeMap<>(features));
        withoutEffect = Set.copyOf(withoutEffect);
        tunables = Collections.unmodifiableMap(new TreeMap<>(tunables));
        patches = Collections.unmodifiableMap(new LinkedHashMap<>(patches));
    }

    /**
     * A change that can be applied to a version.
     *
     * @param name as in expressions
     * @param title one line for people
     * @param source where it comes from
     * @param notes what a user of it should know
     * @param rules the rule sets that it puts in place of the version's, by kind
     * @param features the feature bits that it adds or whose defaults it changes
     */
    public record Patch(
            String name,
            String title,
            String source,
            List<String> notes,
            Map<String, String> rules,
            Map<String, Boolean> features) {
        public Patch {
            notes = List.copyOf(notes);
            rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
            features = Collections.unmodifiableMap(new TreeMap<>(features));
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
