package dev.perch.host.bench;

/** A task that does nothing but yield its CPU, for ever, and counts how often. */
public interface YieldingTask {
    /** How often it has yielded so far; wraps at 2³² where it is a process. */
    long yields();

    /** The id of its thread, once it has yielded; 0 before. */
    int threadId();

    /** Throws what made it fail, if anything did. */
    void check();
}
