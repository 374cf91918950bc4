package dev.perch.kernel.cpufreq;

/**
 * The ondemand governor of one policy of one CPU: to the highest frequency at once when the load is high, down to the lowest that
 * carries the load when it is not (spec: scheduler.md 6.2; {@code dbs_check_cpu} of Linux 3.2 and 3.4).
 *
 * <p>Its owner measures, calls {@link #sample} and waits for {@link #delayJiffies} before the next one.
 *
 * <p>Limitations: one CPU a policy; no powersave bias; nice time is busy time, and time waiting for input or output is what the owner
 * counts it as.
 */
public final class Ondemand implements Governor {
    private final OndemandParameters parameters;
    private final FrequencyTable table;
    private final int samplingJiffies;
    private int request;
    private int rateMultiplier = 1;

    /**
     * @param hz ticks a second
     * @param requestKhz request when the governor starts
     */
    public Ondemand(OndemandParameters parameters, FrequencyTable table, int hz, int requestKhz) {
        this.parameters = parameters;
        this.table = table;
        samplingJiffies = Math.toIntExact(Math.ceilDiv(parameters.samplingRateUs() * hz, 1_000_000L));
        request = requestKhz;
    }

    @Override
    public int requestKhz() {
        return request;
    }

    @Override
    public boolean samples() {
        return true;
    }

    /**
     * Ticks from now until the next sample: the samples of all CPUs fall on common multiples of the sampling time.
     *
     * @param jiffies number of the present tick
     * @param onlineCpus online CPUs of the machine; a single one does not align
     */
    public int delayJiffies(long jiffies, int onlineCpus) {
        int delay = samplingJiffies * rateMultiplier;
        return onlineCpus > 1 ? delay - (int) (jiffies % delay) : delay;
    }

    /**
     * Looks at the time since the last sample and renews the request.
     *
     * @param wallUs µs since the last sample
     * @param idleUs idle part of it, µs; if it is more than {@code wallUs}, or that is 0, the sample counts as without load
     * @param averageKhzWhileBusy average clock of the busy part, which the hardware may have chosen higher than the request; 0 if not
     *     known
     * @return the new request, kHz
     */
    public int sample(long wallUs, long idleUs, int averageKhzWhileBusy) {
        long load = wallUs <= 0 || wallUs < idleUs ? 0 : 100 * (wallUs - idleUs) / wallUs;
        long khz = averageKhzWhileBusy > 0 ? averageKhzWhileBusy : request;
        long loadKhz = load * khz;
        int up = parameters.upThreshold();
        int down = up - parameters.downDifferential();
        if (loadKhz > (long) up * request) {
            if (request < table.highest()) {
                rateMultiplier = parameters.samplingDownFactor();
            }
            request = table.atMost(table.highest());
        } else if (request != table.lowest() && loadKhz < (long) down * request) {
            rateMultiplier = 1;
            request = table.atLeast(Math.max(loadKhz / down, table.lowest()));
        }
        return request;
    }
}
