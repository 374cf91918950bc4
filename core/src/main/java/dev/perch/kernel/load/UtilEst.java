package dev.perch.kernel.load;

import java.util.Arrays;

/**
 * Estimates of how much tasks will want to run, which outlast their sleep while the average decays ({@code util_est_enqueue}, {@code
 * util_est_dequeue}, {@code util_est_update} of Linux 4.17 to 6.18, and {@code cpu_util}; spec: scheduler.md 3.7).
 *
 * <p>Utilisation is out of 1024. A root runqueue holds the summed estimates of the tasks queued on its CPU, those in groups included.
 * Limitation: the rules of 5.16 stand for 4.17 to 6.6, those of 6.12 for 6.7 and later but for contention.
 */
public final class UtilEst {
    /** What counts as no difference, about 1 % ({@code UTIL_EST_MARGIN}). */
    private static final int MARGIN = 10;

    private final boolean twoValues;
    private final boolean fastUp;
    private final boolean keepsUnderContention;
    private final long[] ofQueue;
    private long[] average;
    private long[] atLastSleep;
    private boolean[] unchanged;

    /**
     * @param tracking of an era that estimates
     * @param fastUp feature UTIL_EST_FASTUP: a task that wanted more is believed at once; from 6.7 on always
     */
    public UtilEst(LoadTracking tracking, boolean fastUp, int tasks, int queues) {
        twoValues = switch (tracking.estimate()) {
            case TWO_VALUES -> true;
            case ONE_VALUE -> false;
            case NO_ESTIMATE ->
                throw new IllegalArgumentException("load tracking of " + tracking.id() + " estimates no utilisation");
        };
        this.fastUp = fastUp;
        keepsUnderContention = tracking.keepsEstimateUnderContention();
        ofQueue = new long[queues];
        average = new long[tasks];
        atLastSleep = new long[tasks];
        unchanged = new boolean[tasks];
    }

    /** Makes room for at least {@code tasks}; allocates. */
    public void ensure(int tasks) {
        if (tasks > average.length) {
            average = Arrays.copyOf(average, tasks);
            atLastSleep = Arrays.copyOf(atLastSleep, tasks);
            unchanged = Arrays.copyOf(unchanged, tasks);
        }
    }

    /** A new task, of which nothing is known. */
    public void begin(int task) {
        set(task, 0, 0);
    }

    /** Sets what is remembered of a task: the moving average, and what it had when it last slept. */
    void set(int task, long movingAverage, long last) {
        average[task] = movingAverage;
        atLastSleep[task] = last;
        unchanged[task] = false;
    }

    /** What the task is expected to want. */
    public long estimate(int task) {
        return twoValues ? Math.max(average[task], atLastSleep[task]) : average[task];
    }

    /** Summed estimates of the tasks queued on a CPU. */
    public long ofQueue(int queue) {
        return ofQueue[queue];
    }

    public void enqueue(int queue, int task) {
        ofQueue[queue] += estimate(task);
    }

    public void dequeue(int queue, int task) {
        ofQueue[queue] -= Math.min(ofQueue[queue], estimate(task));
    }

    /** An update of the queued task's averages has ended a period: its next sleep says something new. */
    public void changed(int task) {
        unchanged[task] = false;
    }

    /**
     * The task has been dequeued because it sleeps.
     *
     * @param util its utilisation average
     * @param runnable its runnable average
     * @param capacity of the CPU where it ran, out of 1024; what a task wanted that filled the CPU is not known
     */
    public void slept(int task, long util, long runnable, long capacity) {
        if (unchanged[task]) {
            return;
        }
        unchanged[task] = twoValues ? storeTwo(task, util, capacity) : storeOne(task, util, runnable, capacity);
    }

    private boolean storeTwo(int task, long util, long capacity) {
        long more = util - average[task];
        if (fastUp && more > 0) {
            return store(task, util, util);
        }
        if (Math.abs(more) < MARGIN) {
            return Math.abs(atLastSleep[task] - util) >= MARGIN && store(task, average[task], util);
        }
        return util <= capacity && store(task, 4 * average[task] + more >> 2, util);
    }

    private boolean storeOne(int task, long util, long runnable, long capacity) {
        long less = average[task] - util;
        if (less <= 0) {
            return store(task, util, util);
        }
        if (less < MARGIN) {
            return store(task, average[task], util);
        }
        if (util > capacity) {
            return false;
        }
        if (keepsUnderContention && util + MARGIN < runnable) {
            return store(task, average[task], util);
        }
        return store(task, 4 * average[task] - less >> 2, util);
    }

    private boolean store(int task, long movingAverage, long last) {
        average[task] = movingAverage;
        atLastSleep[task] = last;
        return true;
    }

    /**
     * Utilisation of a CPU: its average or what its tasks are expected to want.
     *
     * @param util average of the root runqueue
     * @param estimate {@link #ofQueue}, 0 without estimates
     * @param capacity of the CPU, out of 1024
     */
    public static long cpuUtil(long util, long estimate, long capacity) {
        return Math.min(Math.max(util, estimate), capacity);
    }

    /** As {@link #cpuUtil}, not below the runnable average, which sees what waits (6.5 and later, for clocks and busiest queues). */
    public static long boostedCpuUtil(long util, long runnable, long estimate, long capacity) {
        return cpuUtil(Math.max(util, runnable), estimate, capacity);
    }
}
