package dev.perch.kernel;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Kernels of the shipped files, by expression or by the policy names of the specification. */
public final class TestKernels {
    /** The folder that holds {@code kernels}. */
    public static final Path HOME = Path.of(System.getProperty("perch.home", ".."));

    private TestKernels() {}

    public static Kernel named(String expression) {
        return Kernels.resolve(expression, HOME);
    }

    /** The ids of the idle searches from 4.9 on, oldest first. */
    public static final List<String> SCANNING_SEARCHES = List.of(
            "4.9", "4.11", "4.13", "4.16", "4.18", "5.4", "5.6", "5.7", "5.10", "5.12", "5.13", "5.14", "5.15", "clear-target",
            "5.16", "6.0", "6.1", "6.1.192", "6.4", "6.5", "6.6", "6.7", "6.9");

    /**
     * A kernel with the idle search of that id, one of {@link #SCANNING_SEARCHES}, its idle predicate, its domains and its default
     * features; the other rules are those of v3.9.
     *
     * @param features set otherwise than by default: {@code SIS_AVG_CPU}, {@code NO_SIS_PROP}
     */
    public static Kernel idleSearch(String id, String... features) {
        Kernel base = named("v3.9");
        int era = SCANNING_SEARCHES.indexOf(id);
        String predicate = era < SCANNING_SEARCHES.indexOf("4.18")
                ? "3.2"
                : era < SCANNING_SEARCHES.indexOf("5.4") ? "4.18" : "5.4";
        RuleSets rules = base.rules()
                .with(RuleKind.IDLE_SEARCH, id)
                .with(RuleKind.IDLE_PREDICATE, predicate)
                .with(RuleKind.SCHED_DOMAINS, era < SCANNING_SEARCHES.indexOf("6.7") ? "3.12" : "6.7");
        Map<String, Boolean> bits = new HashMap<>(base.features());
        boolean utilization = era >= SCANNING_SEARCHES.indexOf("6.0");
        bits.put("SIS_PROP", era >= SCANNING_SEARCHES.indexOf("4.13") && !utilization);
        bits.put("SIS_UTIL", utilization);
        for (String feature : features) {
            boolean off = feature.startsWith("NO_");
            bits.put(off ? feature.substring(3) : feature, !off);
        }
        return new Kernel(id, id, base.version(), List.of(), rules, bits, base.tunables(), List.of());
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
