package dev.perch.kernel;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The rule sets there are: {@link PlacementRuleSets} and {@link MachineRuleSets} together, by kind and id. */
final class RuleCatalogue {
    private static final Map<RuleKind, Map<String, Rule>> RULES = byKind();

    private RuleCatalogue() {}

    private static Map<RuleKind, Map<String, Rule>> byKind() {
        Map<RuleKind, Map<String, Rule>> rules = new EnumMap<>(RuleKind.class);
        Stream.concat(PlacementRuleSets.ALL.stream(), MachineRuleSets.ALL.stream())
                .forEach(rule -> rules.computeIfAbsent(rule.kind(), kind -> new LinkedHashMap<>())
                        .put(rule.id(), rule));
        return rules;
    }

    private static Map<String, Rule> of(RuleKind kind) {
        return RULES.getOrDefault(kind, Map.of());
    }

    /** The ids of a kind, oldest first. */
    static List<String> ids(RuleKind kind) {
        return List.copyOf(of(kind).keySet());
    }

    /** Whether there is a rule set of that id. */
    static boolean has(RuleKind kind, String id) {
        return of(kind).containsKey(id);
    }

    /** A rule set step by step; the steps of those that it is like come first. */
    static List<String> steps(RuleKind kind, String id) {
        Map<String, List<String>> steps = new HashMap<>();
        of(kind).values().forEach(rule -> steps.put(rule.id(), rule.stepsAfter(steps)));
        return steps.getOrDefault(id, List.of());
    }

    /**
     * A rule set.
     *
     * @throws IllegalArgumentException if there is none of that id
     */
    static Rule rule(RuleKind kind, String id) {
        Rule rule = of(kind).get(id);
        if (rule == null) {
            throw new IllegalArgumentException("there are no " + kind + " rules '" + id + "'");
        }
        return rule;
    }
}
