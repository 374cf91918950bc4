package dev.perch.kernel.cpufreq;

/**
 * How much a CPU asks for because its tasks wait for input or output: doubled with every such task that is woken, halved when none
 * was (spec: scheduler.md 6.7; {@code sugov_iowait_boost} of Linux 5.16 and 6.12). Times are ns, boosts out of 1024.
 */
public final class IowaitBoost {
    private static final int LEAST = 128;
    private static final int MOST = 1024;

    private final long tickNs;
    private long lastUpdate;
    private int boost;
    private boolean pending;

    /**
     * @param tickNs a tick period; without updates for longer than that the boost begins anew
     */
    public IowaitBoost(long tickNs) {
        this.tickNs = tickNs;
    }

    /** An update at {@code now}; {@code waited}: a task that waited for input or output is being enqueued. */
    public void update(long now, boolean waited) {
        boolean stale = boost > 0 && now - lastUpdate > tickNs;
        lastUpdate = now;
        if (stale) {
            restart(waited);
        } else if (waited && !pending) {
            pending = true;
            boost = boost == 0 ? LEAST : Math.min(2 * boost, MOST);
        }
    }

    private void restart(boolean waited) {
        boost = waited ? LEAST : 0;
        pending = waited;
    }

    /**
     * The boost that a choice of frequency at {@code now} takes; one without a new request halves it.
     *
     * @param capacity of the CPU
     */
    public int apply(long now, int capacity) {
        if (boost == 0) {
            return 0;
        }
        if (now - lastUpdate > tickNs) {
            restart(false);
            return 0;
        }
        if (!pending) {
            boost >>= 1;
            if (boost < LEAST) {
                boost = 0;
            }
        }
        pending = false;
        return boost * capacity >> 10;
    }
}
