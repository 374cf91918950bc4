package dev.perch.kernel.load;

/**
 * How long a CPU stays idle when it goes idle: the estimate that decides whether a newly idle CPU looks for work elsewhere and, from 4.9
 * on, how far a waker on it searches (spec: scheduler.md 3.3, placement.md 5.7; {@code rq->avg_idle}, {@code idle_stamp}, {@code
 * max_idle_balance_cost}, {@code wake_avg_idle} and {@code wake_stamp}). Times are ns of the runqueue's clock.
 *
 * <p>The estimate changes when a wakeup puts a task on the idle CPU, so it is the waker, or the handler of its interrupt, who changes it.
 */
public final class IdleTime {
    /** How the estimate is bounded, rounded and handed to searches. */
    public enum Form {
        /** 3.2 – 3.12: one idle period beyond twice the migration cost sets it to that. */
        CLAMPED,
        /** 3.13 – 5.7: at most twice what newly-idle balancing has cost. */
        CAPPED,
        /** 5.8 – 5.13, and from 6.7: as before, with an eighth that is rounded towards zero. */
        ROUNDED_TO_ZERO,
        /** 5.14 – 6.6: besides, half of it is what searches from this CPU may take, halved again each tick. */
        AGED
    }

    private final Form form;
    private final long migrationCost;
    private long balanceCost;
    private long average;
    private long forSearches;
    private long searchTick;
    private long since;
    private boolean stamped;

    /** The form of 3.2 – 3.12; as {@link #IdleTime(long, Form)}. */
    public IdleTime(long migrationCost) {
        this(migrationCost, Form.CLAMPED);
    }

    /**
     * @param migrationCost {@code sched_migration_cost_ns}; twice that is the first estimate
     */
    public IdleTime(long migrationCost, Form form) {
        this.form = form;
        this.migrationCost = migrationCost;
        balanceCost = migrationCost;
        average = 2 * migrationCost;
        forSearches = average;
    }

    /** The estimate, ns. */
    public long average() {
        return average;
    }

    /** What newly-idle balancing costs at most ({@code max_idle_balance_cost}), ns; twice that bounds the estimate from 3.13 on. */
    public long balanceCost() {
        return balanceCost;
    }

    /** A pass of newly-idle balancing has cost that much, ns. */
    public void raiseBalanceCost(long cost) {
        balanceCost = Math.max(balanceCost, cost);
    }

    /** The costs of the CPU's domains have decayed to that sum, ns; less than the migration cost counts as that. */
    public void decayBalanceCost(long cost) {
        balanceCost = Math.max(migrationCost, cost);
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

    /** Whether the CPU has been idle since {@link #since}. */
    public boolean stamped() {
        return stamped;
    }

    /** When the present idle period began, if there is one. */
    public long since() {
        return since;
    }

    /** As {@link #end(long, long)}, of an era that ages nothing by ticks. */
    public void end(long clock) {
        if (form == Form.AGED) {
            throw new IllegalStateException("idle time that is aged by ticks needs the tick");
        }
        end(clock, 0);
    }

    /**
     * A wakeup puts a task on the CPU at {@code clock}: the idle period that may have begun has ended.
     *
     * @param tick number of the present tick ({@code jiffies})
     */
    public void end(long clock, long tick) {
        if (!stamped) {
            return;
        }
        stamped = false;
        long idle = clock - since;
        switch (form) {
            case CLAMPED -> average = idle > 2 * migrationCost ? 2 * migrationCost : average(average, idle);
            case CAPPED -> average = Math.min(average(average, idle), 2 * balanceCost);
            case ROUNDED_TO_ZERO -> average = Math.min(averageToZero(average, idle), 2 * balanceCost);
            case AGED -> {
                average = Math.min(averageToZero(average, idle), 2 * balanceCost);
                forSearches = average / 2;
                searchTick = tick;
            }
        }
    }

    /**
     * What a search from this CPU may take, ns, halved for each tick since it was set or asked for ({@code wake_avg_idle}; AGED only).
     *
     * @param tick number of the present tick
     */
    public long forSearches(long tick) {
        if (tick > searchTick) {
            long ticks = tick - searchTick;
            forSearches = ticks < Long.SIZE ? forSearches >> ticks : 0;
            searchTick = tick;
        }
        return forSearches;
    }

    /** A search has taken that long, ns; it is taken from what the next ones may. */
    public void searched(long time) {
        forSearches -= Math.min(forSearches, time);
    }

    /** Moves {@code average} an eighth of the way to {@code sample}, rounding down ({@code update_avg} until 5.7). */
    public static long average(long average, long sample) {
        return average + (sample - average >> 3);
    }

    /** Moves {@code average} an eighth of the way to {@code sample}, rounding the way towards zero ({@code update_avg} from 5.8). */
    public static long averageToZero(long average, long sample) {
        return average + (sample - average) / 8;
    }
}
