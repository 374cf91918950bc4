package dev.perch.host.bench;

/** A measurement was asked to stop before its end; what it has measured is of no use. */
public final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StoppedException() {
        super("stopped");
    }
}
