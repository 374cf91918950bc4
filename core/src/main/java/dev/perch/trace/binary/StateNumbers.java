package dev.perch.trace.binary;

import dev.perch.model.TaskState;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the bits of {@code prev_state} in sched_switch mean. They have been renumbered several times.
 *
 * <p>Best source is the event's own description, whose print format names each bit; else the kernel's version tells:
 *
 * <ul>
 *   <li>all: S 1, D 2, T 4, t 8
 *   <li>before 3.14: Z 16, X 32; since: X 16, Z 32
 *   <li>before 4.14: x 64, K 128, W 256, P 512 (3.9), N 1024 (4.2), preemption 2048 (4096 in 4.8 to 4.13)
 *   <li>since 4.14: P 64, I 128, preemption 256
 * </ul>
 *
 * <p>Of several bits the lowest counts (D|K is an uninterruptible sleep); a preempted task counts as runnable whatever else is set.
 *
 * <p>Source: {@code TASK_*} in include/linux/sched.h and include/trace/events/sched.h of these versions.
 */
public final class StateNumbers {
    private static final int BITS = 16;
    private static final int NO_LOAD_BIT = 10;
    private static final Pattern FLAG = Pattern.compile("\\{\\s*(0x[0-9a-fA-F]{1,8}|\\d{1,9})\\s*,\\s*\"(\\w)\"\\s*}");
    private static final Pattern RELEASE =
            Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(?:\\.(\\d{1,6}))?.*", Pattern.DOTALL);

    private static final StateNumbers BEFORE_3_14 = of("SDTtZXxKWPN");
    private static final StateNumbers BEFORE_4_14 = of("SDTtXZxKWPN");
    private static final StateNumbers SINCE_4_14 = of("SDTtXZPI");

    /** What each bit alone means; UNKNOWN above the last that is known. */
    private final TaskState[] bits = new TaskState[BITS];

    private final int known;
    private final int preempted;
    private final int preemptedAboveNew;

    private StateNumbers(TaskState[] meanings) {
        int mask = 0;
        for (int bit = 0; bit < BITS; bit++) {
            TaskState meaning = bit < meanings.length ? meanings[bit] : TaskState.UNKNOWN;
            bits[bit] = meaning;
            mask |= meaning == TaskState.UNKNOWN ? 0 : 1 << bit;
        }
        this.known = mask;
        // The bit above the last one says that the task was preempted; 4.8 to 4.13 have a bit for new tasks in between.
        preempted = Integer.highestOneBit(mask) << 1;
        preemptedAboveNew = bits[NO_LOAD_BIT] == TaskState.NEW ? preempted << 1 : preempted;
    }

    private static StateNumbers of(String letters) {
        TaskState[] meanings = new TaskState[letters.length()];
        for (int bit = 0; bit < meanings.length; bit++) {
            meanings[bit] = state(letters.charAt(bit));
        }
        return new StateNumbers(meanings);
    }

    /** What a bit of that letter means; to be runnable is no bit. */
    private static TaskState state(char letter) {
        TaskState state = TaskState.ofLetter(letter);
        return state.isRunnable() ? TaskState.UNKNOWN : state;
    }

    /** Those of the kernel whose {@code uname -r} is given; of 4.14 and later if it is not a version. */
    public static StateNumbers ofRelease(@Nullable String release) {
        Matcher match = release == null ? null : RELEASE.matcher(release);
        if (match == null || !match.matches()) {
            return SINCE_4_14;
        }
        int version = Integer.parseInt(match.group(1)) * 10_000 + Integer.parseInt(match.group(2));
        if (version >= 4_0014) {
            return SINCE_4_14;
        }
        return version >= 3_0014 ? BEFORE_4_14 : BEFORE_3_14;
    }

    /** Those that the print format of sched_switch names; null if it names none. */
    public static @Nullable StateNumbers ofPrintFormat(String printFormat) {
        TaskState[] meanings = new TaskState[BITS];
        java.util.Arrays.fill(meanings, TaskState.UNKNOWN);
        int found = 0;
        Matcher match = FLAG.matcher(printFormat);
        while (match.find()) {
            long value = Long.decode(match.group(1));
            if (Long.bitCount(value) == 1 && value < 1 << BITS) {
                int bit = Long.numberOfTrailingZeros(value);
                meanings[bit] = state(match.group(2).charAt(0));
                found++;
            }
        }
        return found < 4 ? null : new StateNumbers(meanings);
    }

    /** The state that {@code raw} writes. */
    public TaskState state(long raw) {
        int value = (int) (raw & (1 << BITS) - 1);
        if (raw == 0 || (value & (preempted | preemptedAboveNew)) != 0) {
            return TaskState.RUNNABLE;
        }
        int named = value & known;
        if (named == 0) {
            return TaskState.UNKNOWN;
        }
        return bits[Integer.numberOfTrailingZeros(named)];
    }

    /**
     * A number that {@link #state} reads as {@code state}: its bit; 0 for a task that is still runnable; a bit without a meaning for what these
     * kernels have no bit for.
     */
    public long raw(TaskState state) {
        if (state.isRunnable()) {
            return 0;
        }
        for (int bit = 0; bit < BITS; bit++) {
            if (bits[bit] == state && state != TaskState.UNKNOWN) {
                return 1L << bit;
            }
        }
        return 1L << BITS - 1;
    }
}
