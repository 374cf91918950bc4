package dev.perch.trace;

/** The formats of recordings that can be read. */
public enum RecordingFormat {
    /** What the kernel's tracefs files {@code trace} and {@code trace_pipe} print. */
    FTRACE_TEXT("ftrace text"),
    /** What {@code perf script} prints. */
    PERF_SCRIPT("perf script text"),
    /** What {@code trace-cmd report} prints. */
    TRACE_CMD_REPORT("trace-cmd report text"),
    /** The binary file of {@code trace-cmd record}. */
    TRACE_DAT("trace.dat"),
    /** The binary file of {@code perf record} and {@code perf sched record}. */
    PERF_DATA("perf.data"),
    /** A protobuf trace of Perfetto. */
    PERFETTO("Perfetto trace");

    private final String title;

    RecordingFormat(String title) {
        this.title = title;
    }

    /** What to call it in a sentence. */
    public String title() {
        return title;
    }
}
