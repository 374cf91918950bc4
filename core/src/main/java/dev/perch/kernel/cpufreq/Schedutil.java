package dev.perch.kernel.cpufreq;

/**
 * The schedutil governor of one policy: the frequency follows what the scheduler says its tasks need (spec: scheduler.md 6.7; {@code
 * sugov_update_single_freq}, {@code sugov_update_shared} and {@code get_next_freq} of Linux 5.16 and 6.12).
 *
 * <p>Its owner asks {@link #isDue} when the utilisation of a CPU changes; if so it calls {@link #begin}, {@link #add} for each CPU of the
 * policy, and {@link #decide}. Limitations: the worker of drivers that cannot switch in the scheduler is not a task; limits of the
 * policy do not change.
 */
public final class Schedutil implements Governor {
    /** How headroom and the rate limit are computed. */
    public enum Form {
        /** 4.7 to 6.6: a quarter on top of what is needed; not more often than a thousand transition latencies, at most 10 ms. */
        V5_16,
        /** 6.7 and later: the quarter ends at the upper clamp; not more often than one and a half transition latencies. */
        V6_12;

        private static final long WITHOUT_LATENCY_US = 1000;
        private static final long LONGEST_US = 10_000;

        /**
         * Shortest time between two changes, if the driver does not say, µs.
         *
         * @param transitionLatencyUs of the clock, as the firmware gives it, µs; 0 if it does not
         */
        public long transitionDelayUs(int transitionLatencyUs) {
            if (transitionLatencyUs == 0) {
                return WITHOUT_LATENCY_US;
            }
            return switch (this) {
                case V5_16 -> Math.min(1000L * transitionLatencyUs, LONGEST_US);
                case V6_12 -> transitionLatencyUs + (transitionLatencyUs >> 1);
            };
        }
    }

    private final Form form;
    private final FrequencyTable table;
    private final boolean invariant;
    private final boolean shared;
    private final long rateLimitNs;
    private int request;
    private long lastChange;
    private long lastRawKhz;
    private long demand;
    private int capacity;
    private boolean capped;

    /**
     * @param invariant utilisation is scaled by the clock, so that it counts at the highest frequency; otherwise at the present one
     * @param rateLimitUs {@code rate_limit_us}: shortest time between two changes, µs
     * @param cpus CPUs of the policy
     * @param requestKhz request when the governor starts
     */
    public Schedutil(Form form, FrequencyTable table, boolean invariant, long rateLimitUs, int cpus, int requestKhz) {
        this.form = form;
        this.table = table;
        this.invariant = invariant;
        shared = cpus > 1;
        rateLimitNs = rateLimitUs * 1000;
        lastChange = -rateLimitNs;
        request = requestKhz;
    }

    @Override
    public int requestKhz() {
        return request;
    }

    /** Whether a change at {@code now} is not too soon after the last one. */
    public boolean isDue(long now) {
        return now - lastChange >= rateLimitNs;
    }

    /** A choice begins. */
    public void begin() {
        demand = 0;
        capacity = 1;
        capped = false;
    }

    /** Takes in one CPU: the one with the largest demand for its capacity decides. */
    public void add(CpuDemand cpu) {
        long needed = cpu.withHeadroom(form);
        if (needed * capacity > demand * cpu.capacity) {
            demand = needed;
            capacity = cpu.capacity;
        }
        capped |= cpu.isCapped();
    }

    /**
     * What the demand amounts to before it is rounded to an entry, kHz: of the highest frequency if utilisation is scaled by the clock,
     * else of the present one, in 6.12 with a quarter more.
     */
    long rawKhz() {
        long reference;
        if (invariant) {
            reference = table.highest();
        } else {
            reference = form == Form.V6_12 ? request + (request >> 2) : request;
        }
        return reference * demand / capacity;
    }

    /**
     * Renews the request.
     *
     * @param idleSinceLastUpdate whether the CPU, the only one of its policy, was idle since the last update; a busy one is not slowed
     *     down
     * @return whether the request has changed
     */
    public boolean decide(long now, boolean idleSinceLastUpdate) {
        long raw = rawKhz();
        if (raw == lastRawKhz) {
            return false;
        }
        int next = table.find(raw, Relation.L);
        boolean uncapped = form == Form.V5_16 || !capped;
        if (!shared && !idleSinceLastUpdate && uncapped && next < request) {
            return false;
        }
        lastRawKhz = raw;
        if (next == request) {
            return false;
        }
        request = next;
        lastChange = now;
        return true;
    }
}
