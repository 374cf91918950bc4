package dev.perch.workloads;

import dev.perch.workloads.JsonValue.Member;
import dev.perch.workloads.JsonValue.Members;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the names of an rt-app file stand for that only the whole file tells. */
final class RtAppNames {
    private final Set<String> absolute = new HashSet<>();

    /** How many must come to each barrier: every mention counts as often as its task has instances. */
    final SortedMap<String, Integer> barriers = new TreeMap<>();

    /** One mention of a timer in absolute mode makes all of its uses so. */
    RtAppNames(Members tasks) {
        for (Member task : tasks.members()) {
            find(task.key(), task.value());
        }
    }

    private void find(String task, JsonValue value) {
        if (value instanceof Members members) {
            Optional<JsonValue> ref = valueOf(members, "ref");
            Optional<JsonValue> mode = valueOf(members, "mode");
            if (mode.isPresent()
                    && mode.get() instanceof JsonValue.Text text
                    && text.value().startsWith("absolute")) {
                absolute.add(key(
                        task, ref.isPresent() && ref.get() instanceof JsonValue.Text name ? name.value() : ""));
            }
            members.members().forEach(member -> find(task, member.value()));
        }
    }

    private static Optional<JsonValue> valueOf(Members members, String key) {
        return members.members().stream()
                .filter(member -> member.key().equals(key))
                .map(Member::value)
                .findFirst();
    }

    /** Whether each instance of a task has its own timer of this name. */
    static boolean isOwn(String timer) {
        return timer.startsWith("unique");
    }

    private static String key(String task, String timer) {
        return isOwn(timer) ? task + ' ' + timer : timer;
    }

    boolean isAbsolute(String task, String timer) {
        return absolute.contains(key(task, timer));
    }
}
