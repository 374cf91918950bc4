package dev.perch.kernel.cpufreq;

/**
 * The settings of {@link Ondemand} (spec: scheduler.md 6.2 to 6.4; {@code cpufreq_gov_dbs_init} and {@code cpufreq_governor_dbs} of Linux
 * 3.2 and 3.4, {@code od_init} of 6.12).
 *
 * @param upThreshold {@code up_threshold}: load in per cent above which the highest frequency is requested, 1 to 100
 * @param downDifferential how far below {@link #upThreshold} a load, at the frequency aimed at, should lie, in per cent; form 3.2 only
 * @param samplingRateUs {@code sampling_rate}: time between samples, µs
 * @param samplingDownFactor {@code sampling_down_factor}: by how much that is stretched while the highest frequency is requested
 * @param powersaveBias {@code powersave_bias}: by how many thousandths each target is lowered, 0 to 1000
 */
public record OndemandParameters(
        int upThreshold, int downDifferential, long samplingRateUs, int samplingDownFactor, int powersaveBias) {
    /** Above that the change of SUSE kernels cuts the sampling time, µs. */
    private static final long LONGEST_DEFAULT_RATE = 300_000;

    public OndemandParameters {
        if (downDifferential < 0 || upThreshold <= downDifferential || upThreshold > 100) {
            throw new IllegalArgumentException("thresholds: " + upThreshold + " and " + downDifferential);
        }
        if (samplingRateUs < 1 || samplingDownFactor < 1) {
            throw new IllegalArgumentException("sampling: " + samplingRateUs + " us times " + samplingDownFactor);
        }
        if (powersaveBias < 0 || powersaveBias > 1000) {
            throw new IllegalArgumentException("powersave bias: " + powersaveBias);
        }
    }

    /**
     * As the governor starts.
     *
     * @param microAccounting idle time is known in µs, as with dynamic ticks; else ({@code nohz=off}) in whole ticks
     * @param rate how often it samples
     */
    public static OndemandParameters atStart(boolean microAccounting, SamplingRate rate) {
        return new OndemandParameters(microAccounting ? 95 : 80, microAccounting ? 3 : 10, rate.rateUs(), 1, 0);
    }

    /**
     * As the governor starts with the change that the enterprise kernels of SUSE carried in 2012: with more than one CPU the
     * threshold is half of 80, and a sampling time of more than 300 ms is cut.
     *
     * @param onlineCpus online CPUs of the machine
     */
    public static OndemandParameters atStartWithLowThreshold(
            boolean microAccounting, SamplingRate rate, int onlineCpus) {
        OndemandParameters stock = atStart(microAccounting, rate);
        long cut = Math.max(rate.shortestUs(), LONGEST_DEFAULT_RATE);
        return new OndemandParameters(
                onlineCpus > 1 ? 40 : stock.upThreshold,
                stock.downDifferential,
                stock.samplingRateUs > LONGEST_DEFAULT_RATE ? cut : stock.samplingRateUs,
                stock.samplingDownFactor,
                0);
    }
}
