package dev.perch.kernel.cpufreq;

/**
 * The settings of {@link Conservative} (spec: scheduler.md 6.5).
 *
 * @param upThreshold {@code up_threshold}: load in per cent above which the request goes up a step, to 100
 * @param downThreshold {@code down_threshold}: load in per cent below which (form 3.4: ten below which) it goes down a step
 * @param freqStep {@code freq_step}: height of a step in per cent of the highest frequency, 0 to 100; with 0 the request never changes
 * @param samplingRateUs {@code sampling_rate}: time between samples, µs
 * @param samplingDownFactor {@code sampling_down_factor}: how many samples lead to one step down; form 6.12 only
 */
public record ConservativeParameters(
        int upThreshold, int downThreshold, int freqStep, long samplingRateUs, int samplingDownFactor) {
    public ConservativeParameters {
        if (downThreshold < 1 || upThreshold <= downThreshold || upThreshold > 100) {
            throw new IllegalArgumentException("thresholds: " + upThreshold + " and " + downThreshold);
        }
        if (freqStep < 0 || freqStep > 100) {
            throw new IllegalArgumentException("step: " + freqStep);
        }
        if (samplingRateUs < 1 || samplingDownFactor < 1) {
            throw new IllegalArgumentException("sampling: " + samplingRateUs + " us times " + samplingDownFactor);
        }
    }

    /** As the governor starts. */
    public static ConservativeParameters atStart(SamplingRate rate) {
        return new ConservativeParameters(80, 20, 5, rate.rateUs(), 1);
    }
}
