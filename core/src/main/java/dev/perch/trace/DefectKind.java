package dev.perch.trace;

/**
 * Everything that can be wrong with a recording or with reading it: one table.
 *
 * <p>Whatever a reader cannot take at face value is counted here; numbers that rest on it are then not silently wrong.
 */
public enum DefectKind {
    EVENTS_LOST(
            "events-lost",
            Severity.WARNING,
            Origin.RECORDER,
            "states and wakeups of the CPU around the gap",
            "the recorder lost events; record with larger buffers"),
    OVERWRITTEN(
            "overwritten",
            Severity.INFO,
            Origin.RECORDER,
            "how long the recording is",
            "the ring buffer went round: the oldest events are gone and the recording starts later than the tracer did"),
    TRUNCATED(
            "truncated",
            Severity.WARNING,
            Origin.FILE,
            "the end of the recording",
            "the file ends in the middle of a record"),
    CUT_OFF_COMPRESSION(
            "cut-off-compression",
            Severity.WARNING,
            Origin.FILE,
            "everything after the damage",
            "the compressed data is damaged or cut off; what came before it was read"),
    CORRUPT_RECORD(
            "corrupt-record",
            Severity.ERROR,
            Origin.FILE,
            "counts, and states of the CPU around it",
            "a record contradicts the format and was left out"),
    UNPARSED_LINE(
            "unparsed-line",
            Severity.WARNING,
            Origin.FILE,
            "counts",
            "a line is no record of this format and was left out"),
    UNPARSED_EVENT(
            "unparsed-event",
            Severity.ERROR,
            Origin.FILE,
            "counts, and states of the CPU around it",
            "the fields of a scheduler event could not be read and it was left out"),
    LONG_LINE(
            "long-line", Severity.WARNING, Origin.FILE, "counts", "a line is longer than any record and was left out"),
    OUT_OF_ORDER(
            "out-of-order",
            Severity.ERROR,
            Origin.FILE,
            "states of the CPU around it",
            "an event is too much older than those before it and was left out; record or merge the CPUs by time"),
    DISORDERED(
            "disordered",
            Severity.ERROR,
            Origin.FILE,
            "order and all durations",
            "times go back again and again, as those of 'perf script --deltatime' do; print the recording without it"),
    DUPLICATE_EVENTS(
            "duplicate-events",
            Severity.WARNING,
            Origin.RECORDER,
            "counts, if the buffers recorded different tasks",
            "two trace buffers recorded the same kind of event; those of the second were left out"),
    MIXED_CLOCKS(
            "mixed-clocks",
            Severity.ERROR,
            Origin.FILE,
            "order and all durations",
            "times of two different clocks; events of the second were left out"),
    UNKNOWN_CLOCK_UNIT(
            "unknown-clock-unit",
            Severity.WARNING,
            Origin.RECORDER,
            "all durations",
            "the trace clock counts something other than time; record with 'trace_clock' mono or local"),
    NO_CPU(
            "no-cpu",
            Severity.ERROR,
            Origin.RECORDER,
            "states of CPUs, placement, utilisation",
            "events do not tell their CPU; print the recording with the field 'cpu'"),
    NO_CURRENT_TASK(
            "no-current-task",
            Severity.INFO,
            Origin.RECORDER,
            "who wakes whom",
            "events do not tell the task in whose context they happened; print the recording with the field 'tid'"),
    UNKNOWN_STATE(
            "unknown-state",
            Severity.WARNING,
            Origin.FILE,
            "whether a task that left its CPU was still runnable",
            "a task state that no kernel writes"),
    ASSUMED_STATE_NUMBERS(
            "assumed-state-numbers",
            Severity.INFO,
            Origin.READER,
            "the kind of sleep",
            "task states are written as numbers and the kernel version is not told; those of Linux 4.14 and later were assumed"),
    NAMES_MISSING(
            "names-missing",
            Severity.INFO,
            Origin.RECORDER,
            "names of tasks",
            "the recording does not tell the names of some tasks"),
    UNKNOWN_ENCODING(
            "unknown-encoding",
            Severity.WARNING,
            Origin.READER,
            "counts",
            "a part of the file uses an encoding that is not read"),
    NO_SCHED_SWITCH(
            "no-sched-switch",
            Severity.ERROR,
            Origin.RECORDER,
            "everything",
            "the recording has no sched_switch events; record them too");

    /** How bad a defect is. */
    public enum Severity {
        /** Worth knowing; nothing that was read is wrong. */
        INFO,
        /** Some results are less sure than they look. */
        WARNING,
        /** Some results are missing or wrong where the defect touches them. */
        ERROR
    }

    /** Who made it. */
    public enum Origin {
        /** The kernel's tracer or the recording tool, or how it was told to record. */
        RECORDER,
        /** The file: damaged, cut off, put together, printed in an odd way. */
        FILE,
        /** This reader, which does not know better. */
        READER
    }

    private final String key;
    private final Severity severity;
    private final Origin origin;
    private final String touches;
    private final String meaning;

    DefectKind(String key, Severity severity, Origin origin, String touches, String meaning) {
        this.key = key;
        this.severity = severity;
        this.origin = origin;
        this.touches = touches;
        this.meaning = meaning;
    }

    /** Its name in output. */
    public String key() {
        return key;
    }

    public Severity severity() {
        return severity;
    }

    public Origin origin() {
        return origin;
    }

    /** What part of a result it touches. */
    public String touches() {
        return touches;
    }

    /** What happened and, if there is a way, how to mend it. */
    public String meaning() {
        return meaning;
    }
}
