package dev.perch.host.record;

/** How the kernel hands out its events. */
public enum RecordingWay {
    /** perf_event_open, and a perf.data. */
    PERF("perf", "perf events", "perf.data"),
    /** A buffer of our own in tracefs, and a trace.dat. */
    TRACEFS("tracefs", "tracefs", "trace.dat");

    private final String word;
    private final String title;
    private final String format;

    RecordingWay(String word, String title, String format) {
        this.word = word;
        this.title = title;
        this.format = format;
    }

    /** As the command line names it. */
    public String word() {
        return word;
    }

    /** As sentences call it. */
    public String title() {
        return title;
    }

    /** The format of its files. */
    public String format() {
        return format;
    }
}
