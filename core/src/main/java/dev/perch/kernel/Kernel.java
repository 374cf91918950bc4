package dev.perch.kernel;

import java.util.List;
import java.util.Map;

/**
 * A kernel: version, patches, feature bits and tunables, resolved from an expression such as
 * {@code v3.2-rc1+mikie2,SIBLING_LIMIT_SYNC,NO_TTWU_QUEUE}. Immutable. It names its rule sets and holds no logic.
 *
 * @param expression as the user wrote it
 * @param name the resolved version with its patches and the settings that differ from the version's defaults, in the expression grammar
 * @param version the version whose rules are used
 * @param patches names of the patches applied, in the order given
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

    /**
     * Names of the rule sets of a kernel, as its file gives them (the values are the ids of spec placement.md 0.6 and 13 and
     * scheduler.md 0.2, in lower case).
     *
     * @param caller how domains are walked and who is asked ({@code 3.2}, {@code 3.3}, {@code 3.7})
     * @param idleSearch {@code virgin}, {@code idle-core}, {@code 3.2}, {@code 3.3}, {@code mikie}, {@code mikie2}, {@code buddies},
     *     {@code 3.9}
     * @param wakeAffine {@code 3.1}
     * @param remoteQueue {@code every-remote}, {@code other-llc}
     * @param idlePredicate {@code current-only}, {@code 3.2}
     * @param schedDomains {@code 3.2}, {@code 3.5}
     * @param runqueue {@code 3.2}, {@code 3.4}, {@code 3.8}
     * @param balance {@code 3.2}, {@code 3.3}, {@code 3.6}
     * @param nohzKick {@code 3.2}, {@code 3.3}
     * @param ondemand {@code 3.2}
     */
    public record RuleSets(
            String caller,
            String idleSearch,
            String wakeAffine,
            String remoteQueue,
            String idlePredicate,
            String schedDomains,
            String runqueue,
            String balance,
            String nohzKick,
            String ondemand) {

        /** The rule sets that a map names by kind, {@code idle-search} and the like; it holds every kind. */
        static RuleSets of(Map<String, String> byKind) {
            return new RuleSets(
                    name(byKind, "caller"),
                    name(byKind, "idle-search"),
                    name(byKind, "wake-affine"),
                    name(byKind, "remote-queue"),
                    name(byKind, "idle-predicate"),
                    name(byKind, "sched-domains"),
                    name(byKind, "runqueue"),
                    name(byKind, "balance"),
                    name(byKind, "nohz-kick"),
                    name(byKind, "ondemand"));
        }

        private static String name(Map<String, String> byKind, String kind) {
            String name = byKind.get(kind);
            if (name == null) {
                throw new IllegalArgumentException("no rules of the kind " + kind);
            }
            return name;
        }

        /** The names by kind, as in kernel files, in the order of the components. */
        public Map<String, String> byKind() {
            Map<String, String> byKind = new java.util.LinkedHashMap<>();
            byKind.put("caller", caller);
            byKind.put("idle-search", idleSearch);
            byKind.put("wake-affine", wakeAffine);
            byKind.put("remote-queue", remoteQueue);
            byKind.put("idle-predicate", idlePredicate);
            byKind.put("sched-domains", schedDomains);
            byKind.put("runqueue", runqueue);
            byKind.put("balance", balance);
            byKind.put("nohz-kick", nohzKick);
            byKind.put("ondemand", ondemand);
            return byKind;
        }
    }
}
