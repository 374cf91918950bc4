package dev.perch.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One rule set: what it is called and what it says. It is words for people; the code that has the same id acts.
 *
 * @param kind what it decides
 * @param id the first version that has it, or the name of the patch that made it
 * @param source where its statements come from: a section of the specifications placement.md or scheduler.md
 * @param meaning what it says, in a line
 * @param steps the same step by step, in order; none for a rule set that is told by its meaning, see {@link #stepsAfter}
 * @param modelled whether the laboratory can act by it
 */
record Rule(RuleKind kind, String id, String source, String meaning, List<String> steps, boolean modelled) {
    private static final Pattern LIKE = Pattern.compile("as ([a-z0-9.-]+),? (.+)");

    Rule {
        steps = List.copyOf(steps);
    }

    /** A rule set that the laboratory acts by; {@code steps} may be left out. */
    static Rule modelled(RuleKind kind, String id, String source, String meaning, String... steps) {
        return new Rule(kind, id, source, meaning, List.of(steps), true);
    }

    /** A rule set that kernels have and the laboratory does not know yet. */
    static Rule notYet(RuleKind kind, String id, String source, String meaning) {
        return new Rule(kind, id, source, meaning, List.of(), false);
    }

    /**
     * The steps in full. A meaning {@code as 5.9, REST} continues the steps of 5.9 with the rest.
     *
     * @param others the steps of the rule sets of the kind that stand before this one, by id
     */
    List<String> stepsAfter(Map<String, List<String>> others) {
        if (!steps.isEmpty()) {
            return steps;
        }
        Matcher like = LIKE.matcher(meaning);
        if (!like.matches() || !others.containsKey(like.group(1))) {
            return List.of(meaning);
        }
        List<String> all = new ArrayList<>(others.getOrDefault(like.group(1), List.of()));
        all.add(like.group(2));
        return List.copyOf(all);
    }
}
