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

    static List<Kernel.Part> of(Kernel kernel) {
        List<Kernel.Part> parts = new ArrayList<>();
        kernel.policy()
                .ifPresent(file -> parts.add(new Kernel.Part(
                        "policy " + file,
                        List.of("is asked first, and asks the rules below for what it leaves to them"))));
        CHOICE.forEach(kind -> parts.add(part(kernel, kind)));
        parts.add(
                new Kernel.Part(
                        "fallback",
                        List.of(
                                "a CPU that the task may not use is replaced: the lowest allowed one of prev's node, else the lowest allowed one")));
        AFTERWARDS.forEach(kind -> parts.add(part(kernel, kind)));
        return parts;
    }

    private static Kernel.Part part(Kernel kernel, RuleKind kind) {
        return new Kernel.Part(kind + " " + kernel.rules().id(kind), steps(kernel, kind));
    }

    /** The steps of one kind of rules, with what features of patches change in them. */
    static List<String> steps(Kernel kernel, RuleKind kind) {
        List<String> steps = new ArrayList<>();
        if (kind == RuleKind.CALLER && kernel.has("WAKE_ON_CURRENT")) {
            steps.add("a sync wakeup takes this CPU, if it is allowed and only the waker runs there (WAKE_ON_CURRENT)");
        }
        steps.addAll(RuleCatalogue.steps(kind, kernel.rules().id(kind)));
        return steps;
    }
}
