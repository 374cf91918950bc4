package dev.perch.kernel.load;

/**
 * The capacity that a CPU has left for fair tasks, 1024 for a whole CPU at its highest clock ({@code update_cpu_power}, {@code
 * update_cpu_capacity}, {@code scale_rt_power}, {@code scale_rt_capacity}; spec: placement.md 8.6). Balancing asks for it, wakeups read
 * the last answer.
 */
public final class FairCapacity {
    /** A whole CPU ({@code SCHED_CAPACITY_SCALE}). */
    public static final int WHOLE = 1024;

    /** A core with hardware threads ({@code smt_gain}): 15 % more than one without. */
    private static final int SMT_GAIN = 1178;

    /** A task that fits leaves a fifth of the capacity: 1024 / 1280. */
    private static final long MARGIN = 1280;

    private FairCapacity() {}

    /** Whether a task of that utilisation fits a capacity: it uses less than 80 % of it ({@code fits_capacity}). */
    public static boolean fits(long util, long capacity) {
        return util * MARGIN < capacity * WHOLE;
    }

    /**
     * Until 4.20: threads share their core's.
     *
     * @param threads CPUs of the core in the CPU's lowest domain, 1 if that is not SMT
     * @param window ns over which time is looked at
     * @param taken of that by realtime tasks and interrupts, ns
     * @return at least 1
     */
    public static int shared(int threads, long window, long taken) {
        long base = threads > 1 ? SMT_GAIN / threads : WHOLE;
        long free = Math.max(0, window - taken) / Math.max(1, window >> 10);
        return (int) Math.max(1, base * free >> 10);
    }

    /**
     * From 5.0 on: what the architecture gives a thread, less utilisation that others have and the share of interrupts in the rest.
     *
     * @param architecture capacity of the thread, out of 1024
     * @param others utilisation by realtime and deadline tasks, and what heat takes, out of 1024
     * @param interrupts utilisation by interrupts, out of 1024
     * @return at least 1
     */
    public static int left(int architecture, long others, long interrupts) {
        if (interrupts >= architecture || others >= architecture) {
            return 1;
        }
        return (int) Math.max(1, (architecture - others) * (architecture - interrupts) / architecture);
    }
}
