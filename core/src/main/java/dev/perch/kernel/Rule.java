package dev.perch.kernel;

import java.util.List;

/**
 * One rule set: what it is called and what it says. It is words for people; the code that has the same id acts.
 *
 * @param kind what it decides
 * @param id the first version that has it, or the name of the patch that made it
 * @param source where its statements come from: a section of the specifications placement.md or scheduler.md
 * @param meaning what it says, in a line
 * @param steps the same step by step, in order; at least one line
 * @param modelled whether the laboratory can act by it
 */
record Rule(RuleKind kind, String id, String source, String meaning, List<String> steps, boolean modelled) {
    Rule {
        steps = List.copyOf(steps);
    }

    /** A rule set that the laboratory acts by; without {@code steps} its meaning is its only step. */
    static Rule modelled(RuleKind kind, String id, String source, String meaning, String... steps) {
        return new Rule(kind, id, source, meaning, steps.length == 0 ? List.of(meaning) : List.of(steps), true);
    }

    /** A rule set that kernels have and the laboratory does not know yet. */
    static Rule notYet(RuleKind kind, String id, String source, String meaning) {
        return new Rule(kind, id, source, meaning, List.of(meaning), false);
    }
}
