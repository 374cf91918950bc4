package dev.perch.kernel;

import java.util.ArrayList;
import java.util.List;

/**
 * What a kernel does with a wakeup, in words: the steps of each rule set that takes part, in the order in which they act. Sources: the
 * rules' own, and placement.md 0.5 for the repair of a CPU that the task may not use.
 */
final class WakeupSteps {
    private static final List<RuleKind> CHOICE =
            List.of(RuleKind.CALLER, RuleKind.WAKE_WIDE, RuleKind.WAKE_AFFINE, RuleKind.IDLE_SEARCH);

    private static final List<RuleKind> AFTERWARDS =
            List.of(RuleKind.REMOTE_QUEUE, RuleKind.IDLE_PREDICATE, RuleKind.SLOW_PATH);

    private WakeupSteps() {}

    /**
     * A part of the way of a wakeup.
     *
     * @param title the kind of rules and their id, or what the part does
     * @param steps a line each
     */
    record Part(String title, List<String> steps) {}

    static List<Part> of(Kernel kernel) {
        List<Part> parts = new ArrayList<>();
        kernel.policy()
                .ifPresent(file -> parts.add(
                        new Part("policy " + file, List.of("is asked first, and asks the rules below for what it leaves to them"))));
        CHOICE.forEach(kind -> parts.add(part(kernel, kind)));
        parts.add(new Part(
                "fallback",
                List.of("a CPU that the task may not use is replaced: the lowest allowed one of prev's node, else the lowest allowed one")));
        AFTERWARDS.forEach(kind -> parts.add(part(kernel, kind)));
        return parts;
    }

    private static Part part(Kernel kernel, RuleKind kind) {
        return new Part(kind + " " + kernel.rules().id(kind), steps(kernel, kind));
    }

    /** The steps of one kind of rules, with what features of patches change in them. */
    static List<String> steps(Kernel kernel, RuleKind kind) {
        List<String> steps = new ArrayList<>();
        if (kind == RuleKind.CALLER && kernel.has("WAKE_ON_CURRENT")) {
            steps.add("a sync wakeup takes this CPU, if it is allowed and only the waker runs there (WAKE_ON_CURRENT)");
        }
        steps.addAll(RuleCatalogue.rule(kind, kernel.rules().id(kind)).steps());
        return steps;
    }
}
