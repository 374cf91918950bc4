package dev.perch.kernel.balance;

/** What is to be moved, and in what it is measured ({@code enum migration_type} of 5.5 and later). */
enum MigrationKind {
    /** Load, nice 0 = 1024. */
    LOAD,
    /** Utilisation, 1024 = a whole CPU. */
    UTIL,
    /** A number of tasks. */
    TASKS,
    /** One task that is too large for its CPU. */
    MISFIT
}
