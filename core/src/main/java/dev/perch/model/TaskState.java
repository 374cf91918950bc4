package dev.perch.model;

/** The state in which a task leaves its CPU, independent of how the kernel version writes it. */
public enum TaskState {
    /** Still runnable: it was preempted or gave way ({@code R}, {@code R+}). */
    RUNNABLE('R'),
    /** Interruptible sleep. */
    SLEEPING('S'),
    /** Uninterruptible sleep. */
    DISK_SLEEP('D'),
    /** Stopped by a signal. */
    STOPPED('T'),
    /** Stopped by a tracer. */
    TRACED('t'),
    /** Gone, but not yet collected. */
    ZOMBIE('Z'),
    /** Gone. */
    DEAD('X'),
    /** Parked kernel thread. */
    PARKED('P'),
    /** Uninterruptible sleep that does not count as load. */
    IDLE('I'),
    /** Sleep that only fatal signals end. */
    WAKEKILL('K'),
    /** Being woken (old kernels). */
    WAKING('W'),
    /** New (kernels 4.8 to 4.13). */
    NEW('N'),
    /** The source does not tell. */
    UNKNOWN('?');

    private final char letter;

    TaskState(char letter) {
        this.letter = letter;
    }

    /** The letter that kernels print. */
    public char letter() {
        return letter;
    }

    /** The state that kernels print as {@code letter}, an {@code x} being a {@code X}; {@link #UNKNOWN} for other letters. */
    public static TaskState ofLetter(int letter) {
        return switch (letter) {
            case 'R' -> RUNNABLE;
            case 'S' -> SLEEPING;
            case 'D' -> DISK_SLEEP;
            case 'T' -> STOPPED;
            case 't' -> TRACED;
            case 'Z' -> ZOMBIE;
            case 'X', 'x' -> DEAD;
            case 'P' -> PARKED;
            case 'I' -> IDLE;
            case 'K' -> WAKEKILL;
            case 'W' -> WAKING;
            case 'N' -> NEW;
            default -> UNKNOWN;
        };
    }

    /** Whether the task could go on at once. */
    public boolean isRunnable() {
        return this == RUNNABLE;
    }
}
