package dev.perch.trace;

import dev.perch.model.TaskState;

/**
 * Task states as sched_switch writes them, letters or numbers, over the kernel versions.
 *
 * <p>Source: include/trace/events/sched.h, include/linux/sched.h. Several bits at once (a killable sleep is D and K) count as the lowest,
 * which is the first letter. A preempted task counts as runnable whatever else is set.
 */
final class TaskStates {
    /** What the numbers of {@code prev_state} mean; it changed twice. */
    enum Numbering {
        BEFORE_4_8(0x800, "SDTtZXxKWP"),
        FROM_4_8(0x1000, "SDTtZXxKWPN"),
        SINCE_4_14(0x100, "SDTtXZPI");

        private final long preempted;
        private final TaskState[] states;

        Numbering(long preempted, String letters) {
            this.preempted = preempted;
            states = new TaskState[letters.length()];
            for (int bit = 0; bit < states.length; bit++) {
                states[bit] = TaskState.ofLetter(letters.charAt(bit));
            }
        }

        /** That of a kernel release such as {@code 6.1.0-56-amd64}; the newest if it cannot be told. */
        static Numbering of(String release) {
            int dot = release.indexOf('.');
            int end = dot + 1;
            while (end < release.length() && Character.isDigit(release.charAt(end))) {
                end++;
            }
            if (dot < 1 || dot > 4 || end == dot + 1 || end > dot + 5) {
                return SINCE_4_14;
            }
            int major = 0;
            for (int i = 0; i < dot; i++) {
                if (!Character.isDigit(release.charAt(i))) {
                    return SINCE_4_14;
                }
                major = major * 10 + release.charAt(i) - '0';
            }
            int minor = Integer.parseInt(release.substring(dot + 1, end));
            if (major > 4 || major == 4 && minor >= 14) {
                return SINCE_4_14;
            }
            return major == 4 && minor >= 8 ? FROM_4_8 : BEFORE_4_8;
        }
    }

    private static final String SHORT_FORM = "SDTtZXxW";

    private TaskStates() {}

    /** The state of the number that the kernel put into the event; UNKNOWN if no bit is known. */
    static TaskState ofBits(long bits, Numbering numbering) {
        if (bits == 0 || (bits & numbering.preempted) != 0) {
            return TaskState.RUNNABLE;
        }
        int lowest = Long.numberOfTrailingZeros(bits);
        return lowest < numbering.states.length ? numbering.states[lowest] : TaskState.UNKNOWN;
    }

    /**
     * The state as printed: {@code S}, {@code R+}, {@code D|K}, {@code 0x200}; UNKNOWN if it is none.
     *
     * @param from the first byte
     * @param to after the last byte
     */
    static TaskState ofText(byte[] bytes, int from, int to) {
        if (from >= to) {
            return TaskState.UNKNOWN;
        }
        if (bytes[to - 1] == '+') {
            return TaskState.RUNNABLE;
        }
        int end = from + 1;
        while (end < to && bytes[end] != '|') {
            end++;
        }
        if (end == from + 1) {
            return TaskState.ofLetter(bytes[from]);
        }
        if (bytes[from] == '0' && bytes[from + 1] == 'x' && end <= from + 10) {
            long bits = 0;
            for (int i = from + 2; i < end; i++) {
                int digit = Character.digit(bytes[i], 16);
                if (digit < 0) {
                    return TaskState.UNKNOWN;
                }
                bits = bits << 4 | digit;
            }
            return ofBits(bits, Numbering.SINCE_4_14);
        }
        return TaskState.UNKNOWN;
    }

    /**
     * The number behind a letter of libtraceevent's short form; −1 if it is none. That plugin names the bits as the kernels before 4.14
     * did, whatever the kernel, so that it prints the idle state of a kernel thread as {@code W} and a zombie as {@code X}.
     */
    static long bitsOfShortForm(int letter) {
        if (letter == 'R') {
            return 0;
        }
        int bit = SHORT_FORM.indexOf(letter);
        return bit < 0 ? -1 : 1L << bit;
    }
}
