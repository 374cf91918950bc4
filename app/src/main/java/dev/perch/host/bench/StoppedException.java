package dev.perch.host.bench;

/** A measurement was asked to stop before its end; what it has measured is of no use. */
final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoppedException() {
        super("stopped");
    }
}
