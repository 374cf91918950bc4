package dev.perch.kernel.load;

/**
 * How long a CPU stays idle when it goes idle: the estimate that decides whether a newly idle CPU looks for work elsewhere (spec:
 * scheduler.md 3.3, E32 column; {@code rq->avg_idle} and {@code idle_stamp} of Linux 3.2 to 3.12). Times are ns of the runqueue's
 * clock.
 */
public final class IdleTime {
    private final long most;
    private long average;
    private long since;
    private boolean stamped;

    /**
     * @param migrationCost {@code sched_migration_cost_ns}; twice that is the first estimate and the largest
     */
    public IdleTime(long migrationCost) {
        most = 2 * migrationCost;
        average = most;
    }

    /** The estimate, ns. */
    public long average() {
        return average;
    }

    /** The CPU has nothing to run as of {@code clock}; whether it then looks for work or not. */
    public void begin(long clock) {
        since = clock;
        stamped = true;
    }

    /** Work was found by balancing: this idle period does not count. */
    public void cancel() {
        stamped = false;
    }

    /** A wakeup puts a task on the CPU at {@code clock}: the idle period that may have begun has ended. */
    public void end(long clock) {
        if (stamped) {
            long idle = clock - since;
            average = idle > most ? most : average(average, idle);
            stamped = false;
        }
    }

    /** Moves {@code average} an eighth of the way to {@code sample}, rounding down ({@code update_avg}). */
    public static long average(long average, long sample) {
        return average + (sample - average >> 3);
    }
}
