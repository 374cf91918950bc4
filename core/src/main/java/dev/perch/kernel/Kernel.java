package dev.perch.kernel;

import dev.perch.model.InputException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A kernel: version, patches, feature bits and tunables, resolved from an expression such as
 * {@code v3.2-rc1+mikie2,SIBLING_LIMIT_SYNC,NO_TTWU_QUEUE}. Immutable. It names its rule sets and holds no logic.
 *
 * @param expression as the user wrote it
 * @param name the resolved version with its patches and the settings that differ from the version's defaults, in the expression grammar
 * @param version the version whose rules are used
 * @param patches names of the patches applied, in the order given; the path of a policy of the user's own stands among them
 * @param rules which rule set decides what
 * @param features every feature bit of this kernel with its value
 * @param tunables tunables with the value in effect, in the unit of its name ({@code _ns}, {@code _us}, plain); those that the kernel
 *     computes at boot from the number of CPUs are missing unless the expression sets them
 * @param notes what the user should know, such as that the version asked for takes an older one's rules; shown with results
 */
public record Kernel(
        String expression,
        String name,
        KernelVersion version,
        List<String> patches,
        RuleSets rules,
        Map<String, Boolean> features,
        Map<String, Long> tunables,
        List<String> notes) {

    public Kernel {
        patches = List.copyOf(patches);
        features = java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(features));
        tunables = java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(tunables));
        notes = List.copyOf(notes);
    }

    /** Whether a feature bit is on; a bit that this kernel lacks is off. */
    public boolean has(String feature) {
        return features.getOrDefault(feature, false);
    }

    /** The version's name as kernel files have it, such as {@code v6.1.192}: the beginning of {@link #name}. */
    public String release() {
        int end = name.indexOf('+');
        int comma = name.indexOf(',');
        end = end < 0 || comma >= 0 && comma < end ? comma : end;
        return end < 0 ? name : name.substring(0, end);
    }

    /** The file of the policy of the user's own that is put on top, as written; empty if there is none. */
    public Optional<String> policy() {
        return patches.stream().filter(KernelExpression::isPath).findFirst();
    }

    /**
     * A part of the way of a wakeup, in words.
     *
     * @param title the kind of rules and their id, or what the part does
     * @param steps a line each, in order
     */
    public record Part(String title, List<String> steps) {
        public Part {
            steps = List.copyOf(steps);
        }
    }

    /** What this kernel does with a wakeup, step by step, in words. */
    public List<Part> wakeupSteps() {
        return WakeupSteps.of(this);
    }

    /** The rules of one kind in a line. */
    public String meaning(RuleKind kind) {
        return RuleCatalogue.rule(kind, rules.id(kind)).meaning();
    }

    /** Whether the laboratory can act by the rules of a kind. */
    public boolean isModelled(RuleKind kind) {
        return RuleCatalogue.rule(kind, rules.id(kind)).modelled();
    }

    /**
     * Refuses to go on with rules that the laboratory does not know yet.
     *
     * @param needed kinds of rules that are about to be used
     * @throws InputException naming the first kind whose rules are not modelled
     */
    public void requireModelled(Set<RuleKind> needed) {
        for (RuleKind kind : RuleKind.values()) {
            if (needed.contains(kind) && !isModelled(kind)) {
                throw new InputException(
                        "kernel " + release() + " cannot be simulated yet: its " + kind + " rules '" + rules.id(kind)
                                + "' (" + meaning(kind) + ") are not modelled; perch show kernel says which are");
            }
        }
    }
}
