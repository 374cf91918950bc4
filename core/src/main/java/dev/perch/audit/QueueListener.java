package dev.perch.audit;

/** Hears how tasks move between CPUs, queues and sleep, each time after {@link AuditTasks} and {@link AuditCpus} have been changed. */
interface QueueListener {
    /** Hears nothing. */
    QueueListener NONE = new QueueListener() {};

    /** The state of a task or its CPU has changed. */
    default void moved(int slot, long ns) {}

    /** {@code child}, a task not seen before, was made by {@code parent}, which may be unknown (−1), on {@code cpu}. */
    default void forked(int parent, int child, int cpu, long ns) {}

    /** {@code cpu} has switched to its idle thread. */
    default void pickedIdle(int cpu) {}
}
