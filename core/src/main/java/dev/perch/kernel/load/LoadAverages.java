package dev.perch.kernel.load;

import java.util.Arrays;

/**
 * Decaying averages of many things of one sort, entities or runqueues: how much load, how many runnable tasks, how much running time
 * ({@code struct sched_avg} and {@code ___update_load_sum}, {@code ___update_load_avg} of Linux 4.3 to 6.18; spec: scheduler.md 3.4).
 *
 * <p>Parallel arrays indexed by slot. Sums are in units of {@link Pelt}, running time and runnable tasks times 1024; averages are out of
 * 1024 for a whole CPU. Times are ns of the CPU's PELT clock. A sum says where it stands in its period, an average is made anew when a
 * period ends.
 */
public final class LoadAverages {
    private final Pelt pelt;
    private long[] last;
    private int[] position;
    private long[] loadSum;
    private long[] runnableSum;
    private long[] utilSum;
    private long[] load;
    private long[] runnable;
    private long[] util;

    /** Averages of nothing at time 0. */
    public LoadAverages(int slots, Pelt pelt) {
        this.pelt = pelt;
        last = new long[slots];
        position = new int[slots];
        loadSum = new long[slots];
        runnableSum = new long[slots];
        utilSum = new long[slots];
        load = new long[slots];
        runnable = new long[slots];
        util = new long[slots];
    }

    /** Makes room for at least {@code slots}; allocates, so not on a hot path. */
    public void ensure(int slots) {
        if (slots <= last.length) {
            return;
        }
        last = Arrays.copyOf(last, slots);
        position = Arrays.copyOf(position, slots);
        loadSum = Arrays.copyOf(loadSum, slots);
        runnableSum = Arrays.copyOf(runnableSum, slots);
        utilSum = Arrays.copyOf(utilSum, slots);
        load = Arrays.copyOf(load, slots);
        runnable = Arrays.copyOf(runnable, slots);
        util = Arrays.copyOf(util, slots);
    }

    /** For how many things there is room. */
    public int slots() {
        return last.length;
    }

    /**
     * Brings the sums up to {@code now}; a time before the last one only sets the clock back.
     *
     * @param now ns
     * @param weight what a unit of the time since the last step adds to the load
     * @param tasks runnable tasks in that time
     * @param running whether one of them ran
     * @return whether a period has ended, and the averages are to be made anew by {@link #average}
     */
    boolean step(int slot, long now, long weight, long tasks, boolean running) {
        long passed = now - last[slot];
        if (passed < 0) {
            last[slot] = now;
            return false;
        }
        passed >>= Pelt.UNIT_SHIFT;
        if (passed == 0) {
            return false;
        }
        last[slot] += passed << Pelt.UNIT_SHIFT;
        int begun = position[slot];
        long units = passed + begun;
        long periods = units >>> Pelt.PERIOD_SHIFT;
        long added = passed;
        if (periods > 0) {
            loadSum[slot] = pelt.decay(loadSum[slot], periods);
            runnableSum[slot] = pelt.decay(runnableSum[slot], periods);
            utilSum[slot] = pelt.decay(utilSum[slot], periods);
            units &= Pelt.PERIOD - 1;
            if (weight != 0) {
                added = pelt.contribution(Pelt.PERIOD - begun, periods, units);
            }
        }
        position[slot] = (int) units;
        if (weight != 0) {
            loadSum[slot] += weight * added;
            runnableSum[slot] += tasks * added << 10;
            if (running) {
                utilSum[slot] += added << 10;
            }
        }
        return periods > 0;
    }

    /** Makes the averages of the sums; {@code weight} is what a whole load is worth. */
    void average(int slot, long weight) {
        int at = position[slot];
        load[slot] = Pelt.average(weight * loadSum[slot], at);
        runnable[slot] = Pelt.average(runnableSum[slot], at);
        util[slot] = Pelt.average(utilSum[slot], at);
    }

    /** Sum of a whole load at the place where the slot stands in its period ({@code get_pelt_divider}). */
    long divider(int slot) {
        return Pelt.LEAST_DIVIDER + position[slot];
    }

    /** Sums and averages of nothing, at time 0. */
    void clear(int slot) {
        last[slot] = 0;
        position[slot] = 0;
        setSums(slot, 0, 0, 0);
        setAverages(slot, 0, 0, 0);
    }

    /** Takes over time and place in the period of a slot of {@code other}. */
    void alignWith(int slot, LoadAverages other, int otherSlot) {
        last[slot] = other.last[otherSlot];
        position[slot] = other.position[otherSlot];
    }

    void setSums(int slot, long loads, long tasks, long running) {
        loadSum[slot] = loads;
        runnableSum[slot] = tasks;
        utilSum[slot] = running;
    }

    void setAverages(int slot, long loads, long tasks, long running) {
        load[slot] = loads;
        runnable[slot] = tasks;
        util[slot] = running;
    }

    /** Time of the last step, ns; whole units from where it began. */
    public long last(int slot) {
        return last[slot];
    }

    /** Units since the period began. */
    public int position(int slot) {
        return position[slot];
    }

    public long loadSum(int slot) {
        return loadSum[slot];
    }

    public long runnableSum(int slot) {
        return runnableSum[slot];
    }

    public long utilSum(int slot) {
        return utilSum[slot];
    }

    /** Load average: weight times the share of time in which there was something to run. */
    public long load(int slot) {
        return load[slot];
    }

    /** 1024 times the mean number of runnable tasks. */
    public long runnable(int slot) {
        return runnable[slot];
    }

    /** Share of time in which something ran, out of 1024. */
    public long util(int slot) {
        return util[slot];
    }
}
