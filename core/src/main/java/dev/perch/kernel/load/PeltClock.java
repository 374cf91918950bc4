package dev.perch.kernel.load;

/**
 * The clock by which load averages are taken: it goes slower on a slow CPU, so that the same work weighs the same everywhere, and catches
 * up when the CPU is idle ({@code update_rq_clock_pelt} and {@code update_idle_rq_clock_pelt} of Linux 5.1 and later; spec:
 * scheduler.md 3.4).
 *
 * <p>One CPU an index; ns. Where capacity and frequency are full it is the task clock itself. Limitation: the kernels of 4.3 to 5.0 scaled
 * what a period adds instead of the clock; the same clock stands for theirs.
 */
public final class PeltClock {
    /** A runqueue whose running-time sum is at least this was never idle as far as its average can tell. */
    private static final long NEVER_IDLE = ((long) Pelt.LEAST_DIVIDER << 10) - Pelt.MAX;

    private final long[] taskClock;
    private final long[] clock;
    private final long[] lost;

    /** Clocks at 0. */
    public PeltClock(int cpus) {
        taskClock = new long[cpus];
        clock = new long[cpus];
        lost = new long[cpus];
    }

    /**
     * Time has passed on a CPU.
     *
     * @param now its task clock, ns; never less than before
     * @param idle the idle task has been running
     * @param capacity of the CPU at its highest clock, out of 1024
     * @param frequency present clock out of 1024 of the highest
     */
    public void advance(int cpu, long now, boolean idle, int capacity, int frequency) {
        long passed = now - taskClock[cpu];
        if (passed < 0) {
            throw new IllegalStateException("task clock of CPU " + cpu + " goes back by " + -passed + " ns");
        }
        taskClock[cpu] = now;
        clock[cpu] = idle ? now : clock[cpu] + ((passed * capacity >> 10) * frequency >> 10);
    }

    /**
     * The CPU goes idle: the clock catches up. If the CPU looks as if it had never been idle, its idle time was work that a faster CPU
     * would not have needed, and it is lost.
     *
     * @param utilSum running-time sum of the root runqueue, units times 1024
     */
    public void enterIdle(int cpu, long utilSum) {
        if (utilSum >= NEVER_IDLE) {
            lost[cpu] += taskClock[cpu] - clock[cpu];
        }
        clock[cpu] = taskClock[cpu];
    }

    /** The time by which averages are taken ({@code rq_clock_pelt}), ns. */
    public long now(int cpu) {
        return clock[cpu] - lost[cpu];
    }
}
