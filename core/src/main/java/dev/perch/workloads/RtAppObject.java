package dev.perch.workloads;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import dev.perch.sim.workload.GroupSettings;
import dev.perch.workloads.JsonValue.Absent;
import dev.perch.workloads.JsonValue.Array;
import dev.perch.workloads.JsonValue.Member;
import dev.perch.workloads.JsonValue.Members;
import dev.perch.workloads.JsonValue.Numeral;
import dev.perch.workloads.JsonValue.Text;
import dev.perch.workloads.JsonValue.Truth;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * One object of an rt-app file. It remembers what it was asked for; {@link #refuseOthers} names a key that is left over. Every error names the
 * file, the line, and what the object is.
 */
final class RtAppObject {
    private static final String DEADLINE = "the deadline class and slices of a task's own are not modelled";
    private static final String MEMORY = "where memory lies is not modelled";
    private static final String CLAMPS = "utilisation clamping is not modelled";

    private final String file;
    private final String what;
    private final Members members;
    private final Set<String> asked = new LinkedHashSet<>();

    /** @param what how messages name it: {@code task 'thread0'} */
    RtAppObject(String file, String what, Members members) {
        this.file = file;
        this.what = what;
        this.members = members;
    }

    /**
     * A value as an object.
     *
     * @throws InputException if it is none
     */
    static RtAppObject of(String file, String what, JsonValue value) {
        if (value instanceof Members members) {
            return new RtAppObject(file, what, members);
        }
        throw new InputException(
                what + " must be an object { … }, not " + value.kind() + " (" + file + ":" + value.line() + ")");
    }

    /** An object within this one, of the same file. */
    RtAppObject within(String name, JsonValue value) {
        return of(file, name, value);
    }

    Members object() {
        return members;
    }

    Iterable<Member> members() {
        return members.members();
    }

    String what() {
        return what;
    }

    int line() {
        return members.line();
    }

    InputException error(int line, String problem) {
        return new InputException(problem + " (" + file + ":" + line + ")");
    }

    private Optional<Member> member(String key) {
        asked.add(key);
        Member found = null;
        for (Member member : members.members()) {
            if (member.key().equals(key)) {
                if (found != null) {
                    throw error(
                            member.line(),
                            what + " has '" + key + "' twice; it stands in line " + found.line() + " already");
                }
                found = member;
            }
        }
        return Optional.ofNullable(found);
    }

    /** Names a property whose value makes no difference here. */
    void ignore(String key) {
        asked.add(key);
    }

    boolean has(String key) {
        return member(key).isPresent();
    }

    Optional<RtAppObject> object(String key, String name) {
        return member(key).map(member -> of(file, name, member.value()));
    }

    int integer(String key, int least, int most, int otherwise) {
        return member(key).map(member -> integer(member, least, most)).orElse(otherwise);
    }

    /**
     * The whole number of a member.
     *
     * @throws InputException if it is none from {@code least} to {@code most}
     */
    int integer(Member member, int least, int most) {
        if (member.value() instanceof Numeral numeral && numeral.digits().matches("-?[0-9]{1,10}")) {
            long value = Long.parseLong(numeral.digits());
            if (value >= least && value <= most) {
                return (int) value;
            }
        }
        throw error(
                member.line(),
                "'" + member.key() + "' of " + what + " must be a whole number from " + least + " to " + most + ", not "
                        + member.value().kind());
    }

    String string(String key, String otherwise) {
        return member(key).map(this::string).orElse(otherwise);
    }

    /**
     * The string of a member.
     *
     * @throws InputException if it is none, or empty
     */
    String string(Member member) {
        if (member.value() instanceof Text text && !text.value().isEmpty()) {
            return text.value();
        }
        throw error(
                member.line(),
                "'" + member.key() + "' of " + what + " must be a name in quotes, not "
                        + member.value().kind());
    }

    /** The string of a member for which a name may be left out. */
    String stringOr(Member member, String otherwise) {
        boolean none = member.value() instanceof Absent
                || member.value() instanceof Text text && text.value().isEmpty();
        return none ? otherwise : string(member);
    }

    boolean truth(String key, boolean otherwise) {
        Optional<Member> member = member(key);
        if (member.isEmpty()) {
            return otherwise;
        }
        if (member.get().value() instanceof Truth truth) {
            return truth.value();
        }
        throw error(
                member.get().line(),
                "'" + key + "' of " + what + " must be true or false, not "
                        + member.get().value().kind());
    }

    /** CPUs as an array of their numbers; empty if the key is missing. */
    CpuMask cpus(String key) {
        Optional<Member> member = member(key);
        if (member.isEmpty()) {
            return CpuMask.empty();
        }
        if (!(member.get().value() instanceof Array array) || array.values().isEmpty()) {
            throw error(
                    member.get().line(), "'" + key + "' of " + what + " must be an array of CPU numbers, as in [0, 2]");
        }
        int[] cpus = new int[array.values().size()];
        for (int i = 0; i < cpus.length; i++) {
            JsonValue value = array.values().get(i);
            cpus[i] = integer(new Member(key, value, value.line()), 0, CpuMask.MAX_CPUS - 1);
        }
        return CpuMask.of(cpus);
    }

    /** The path of a task group as a member says it, without {@code /} at its ends. */
    String groupPath(Member member, String path) {
        try {
            return GroupSettings.normalised(path);
        } catch (InputException e) {
            throw error(member.line(), "'" + member.key() + "' of " + what + ": " + e.getMessage());
        }
    }

    /** The line of a key, or of the object if it has none of that name. */
    int lineOf(String key) {
        return member(key).map(Member::line).orElse(members.line());
    }

    /**
     * Ends the questions.
     *
     * @param events whether the object may hold events, which are not asked for one by one
     * @throws InputException if there is a key that nobody asked for
     */
    void refuseOthers(boolean events) {
        for (Member member : members.members()) {
            boolean known = asked.contains(member.key())
                    || events && RtAppEvent.of(member.key()).isPresent();
            if (!known) {
                throw error(
                        member.line(),
                        "rt-app key '" + member.key() + "' of " + what + " is not supported" + why(member.key()));
            }
        }
    }

    private String why(String key) {
        return switch (key) {
            case "util_min", "util_max" -> ": " + CLAMPS;
            case "nodes_membind", "membind_nodes" -> ": " + MEMORY;
            case "dl-runtime", "dl-period", "dl-deadline", "period", "deadline" -> ": " + DEADLINE;
            case "exec", "lock_order", "resources" -> ": it is of rt-app before 1.0; write events";
            default -> Nearest.hint(key, asked);
        };
    }
}
