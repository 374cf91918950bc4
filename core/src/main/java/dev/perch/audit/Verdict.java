package dev.perch.audit;

import java.util.Locale;

/** Whether a wakeup's CPU was a good choice, judged by what was idle just before the waking record. The first that fits, in this order. */
public enum Verdict {
    /** The recording does not tell enough; {@link Wakeup#unknownReason} says what is missing. */
    UNKNOWN("cannot be judged"),
    /** The kernel had no choice: the wakee was still queued or on a CPU, is pinned, or is not a fair task. */
    NOT_PLACED("the kernel had no choice"),
    /** On the waker's CPU, busy only with the waker, which blocks next. Neutral. */
    STACKED("on the waker's CPU, which the waker gives up next"),
    /** Behind others, although a CPU of the same LLC was idle. */
    QUEUED("queued although a CPU of the LLC was idle"),
    /** Behind others, although a CPU of another LLC was idle. */
    MISSED_ELSEWHERE("queued although a CPU of another LLC was idle"),
    /** Behind others; nothing was idle. */
    FULL("queued, nothing was idle"),
    /** On an idle CPU of another LLC, although one was idle where the wakee's cache lines are. */
    REMOTE("moved to another LLC although one CPU of its own was idle"),
    /** On an idle thread beside a busy one, although a whole core of the LLC was idle. */
    SMT_SHARED("beside a busy sibling although a core of the LLC was idle"),
    /** On another CPU of the LLC, although its previous one was idle and no worse. */
    BOUNCED("moved although its previous CPU was idle and no worse"),
    /** Nothing better was idle. */
    GOOD("nothing better was idle");

    private static final Verdict[] ALL = values();

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /** All verdicts, in the order in which they are tried; shared, not to be changed. */
    public static Verdict[] all() {
        return ALL;
    }

    /** The word in tables, files and JSON, such as {@code smt-shared}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The verdict in words. */
    public String text() {
        return text;
    }

    /** Whether this verdict has a bit of its own in {@link Wakeup#faults}: a fault that may hold beside an earlier verdict. */
    public boolean isFault() {
        return switch (this) {
            case QUEUED, MISSED_ELSEWHERE, REMOTE, SMT_SHARED, BOUNCED -> true;
            case UNKNOWN, NOT_PLACED, STACKED, FULL, GOOD -> false;
        };
    }

    /** The bit of this verdict in {@link Wakeup#faults}. */
    public int bit() {
        return 1 << ordinal();
    }
}
