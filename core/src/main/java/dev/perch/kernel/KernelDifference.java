package dev.perch.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What differs between two kernels: rules in words, feature bits, tunables.
 *
 * @param from resolved name of the first kernel
 * @param to resolved name of the second
 * @param rules the kinds whose rules differ, in the order in which they act
 * @param features the bits that only one of them has, or that differ in value; {@code on}, {@code off}, or {@code -} for one that is
 *     not there
 * @param tunables the same of tunables; one that the kernel computes at boot counts as {@code scaled}
 */
public record KernelDifference(
        String from, String to, List<RuleChange> rules, List<ValueChange> features, List<ValueChange> tunables) {
    private static final String NONE = "-";

    public KernelDifference {
        rules = List.copyOf(rules);
        features = List.copyOf(features);
        tunables = List.copyOf(tunables);
    }

    /**
     * A kind of rules that differs.
     *
     * @param kind the kind's name in kernel files
     * @param from id in the first kernel
     * @param to id in the second
     * @param removed steps in words that only the first kernel takes
     * @param added steps that only the second takes
     */
    public record RuleChange(String kind, String from, String to, List<String> removed, List<String> added) {
        public RuleChange {
            removed = List.copyOf(removed);
            added = List.copyOf(added);
        }
    }

    /** A feature or tunable that differs. */
    public record ValueChange(String name, String from, String to) {
        private String words() {
            if (from.equals(NONE)) {
                return "new, " + to;
            }
            return to.equals(NONE) ? "gone, was " + from : from + " -> " + to;
        }
    }

    /** @param fromThere the tunables that the first kernel has, whether or not a value is known; {@code toThere} those of the second */
    static KernelDifference between(Kernel from, Set<String> fromThere, Kernel to, Set<String> toThere) {
        List<RuleChange> rules = new ArrayList<>();
        for (RuleKind kind : RuleKind.values()) {
            List<String> before = WakeupSteps.steps(from, kind);
            List<String> after = WakeupSteps.steps(to, kind);
            String idBefore = from.rules().id(kind);
            String idAfter = to.rules().id(kind);
            if (!idBefore.equals(idAfter) || !before.equals(after)) {
                rules.add(
                        new RuleChange(kind.key(), idBefore, idAfter, without(before, after), without(after, before)));
            }
        }
        return new KernelDifference(
                from.name(),
                to.name(),
                rules,
                values(from.features(), to.features(), on -> on ? "on" : "off"),
                values(tunables(from, fromThere), tunables(to, toThere), value -> value));
    }

    private static Map<String, String> tunables(Kernel kernel, Set<String> there) {
        Map<String, String> values = new TreeMap<>();
        for (String name : there) {
            Long value = kernel.tunables().get(name);
            values.put(name, value == null ? "scaled" : value.toString());
        }
        return values;
    }

    private static List<String> without(List<String> steps, List<String> others) {
        return steps.stream().filter(step -> !others.contains(step)).toList();
    }

    private static <T> List<ValueChange> values(Map<String, T> from, Map<String, T> to, Function<T, String> text) {
        SortedSet<String> names = new TreeSet<>(from.keySet());
        names.addAll(to.keySet());
        List<ValueChange> changes = new ArrayList<>();
        for (String name : names) {
            T before = from.get(name);
            T after = to.get(name);
            String a = before == null ? NONE : text.apply(before);
            String b = after == null ? NONE : text.apply(after);
            if (!a.equals(b)) {
                changes.add(new ValueChange(name, a, b));
            }
        }
        return changes;
    }

    /** For people; a line break after every line. */
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append("from ").append(from).append(" to ").append(to).append('\n');
        if (rules.isEmpty() && features.isEmpty() && tunables.isEmpty()) {
            return text.append("nothing differs\n").toString();
        }
        if (!rules.isEmpty()) {
            text.append("\nrules\n");
        }
        for (RuleChange change : rules) {
            boolean same = change.from.equals(change.to);
            KernelText.row(text, change.kind, same ? change.from : change.from + " -> " + change.to);
            change.removed.forEach(step -> KernelText.wrap(text, "    - ", step));
            change.added.forEach(step -> KernelText.wrap(text, "    + ", step));
        }
        rows(text, "features", features);
        rows(text, "tunables", tunables);
        return text.toString();
    }

    private static void rows(StringBuilder text, String title, List<ValueChange> changes) {
        if (!changes.isEmpty()) {
            text.append('\n').append(title).append('\n');
            changes.forEach(change -> KernelText.row(text, change.name, change.words()));
        }
    }
}
