package dev.perch.kernel.load;

/**
 * The load of a CPU and its four decayed copies, each slower than the one before (spec: scheduler.md 3.2; {@code cpu_load[]}, {@code
 * update_cpu_load}, {@code decay_load_missed}, {@code source_load} and {@code target_load} of Linux 3.2 to 3.10).
 *
 * <p>A load is the summed weight of the tasks on the runqueue, nice 0 = 1024. Between updates the copies are stale: an idle CPU without
 * tick keeps those of its last one.
 */
public final class CpuLoad {
    /** {@code CPU_LOAD_IDX_MAX}. */
    public static final int COPIES = 5;

    /** After how many ticks without load a copy is 0. */
    private static final int[] ZERO_AFTER = {0, 8, 32, 64, 128};

    /** What 2^j ticks without load leave of copy i, in 128ths: element [i][j]. */
    private static final int[][] LEFT_AFTER_TICKS = {
        {}, {}, {96, 72, 40, 12, 1, 0, 0}, {112, 98, 75, 43, 15, 1, 0}, {120, 112, 98, 76, 45, 16, 2}
    };

    private final boolean bias;
    private final long[] load = new long[COPIES];
    private long lastTick;

    /**
     * @param bias feature LB_BIAS: balancing believes the lower of present and past load where it would pull, the higher where it would
     *     push; without it the present load is all there is
     */
    public CpuLoad(boolean bias) {
        this.bias = bias;
    }

    /** Copy {@code index} (0 to 4) as of the last update. */
    public long copy(int index) {
        return load[index];
    }

    /**
     * Takes the load at a tick; nothing if that tick has been taken. Ticks that were missed since the last update count as without load.
     *
     * @param jiffies number of the present tick, never less than before
     * @param weight present load
     */
    public void update(long jiffies, long weight) {
        if (jiffies == lastTick) {
            return;
        }
        if (jiffies < lastTick) {
            throw new IllegalStateException("jiffies go back from " + lastTick + " to " + jiffies);
        }
        long missed = jiffies - lastTick - 1;
        lastTick = jiffies;
        load[0] = weight;
        for (int i = 1; i < COPIES; i++) {
            int scale = 1 << i;
            long old = decayed(load[i], missed, i);
            long roundedUp = weight > old ? weight + scale - 1 : weight;
            load[i] = old * (scale - 1) + roundedUp >> i;
        }
    }

    private static long decayed(long load, long ticks, int index) {
        if (ticks == 0) {
            return load;
        }
        if (ticks >= ZERO_AFTER[index]) {
            return 0;
        }
        if (index == 1) {
            return load >> ticks;
        }
        long left = load;
        int[] factors = LEFT_AFTER_TICKS[index];
        for (int j = 0; ticks >> j != 0; j++) {
            if ((ticks >> j & 1) != 0) {
                left = left * factors[j] >> 7;
            }
        }
        return left;
    }

    /**
     * The load of a CPU from which tasks would be taken: rather too low.
     *
     * @param index 0 for the present load, else 1 + the number of the copy
     * @param weight present load
     */
    public long sourceLoad(int index, long weight) {
        return index == 0 || !bias ? weight : Math.min(load[index - 1], weight);
    }

    /** The load of a CPU to which tasks would be given: rather too high. Parameters as in {@link #sourceLoad}. */
    public long targetLoad(int index, long weight) {
        return index == 0 || !bias ? weight : Math.max(load[index - 1], weight);
    }
}
