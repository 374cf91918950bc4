package dev.perch.kernel.cpufreq;

/**
 * A governor that looks at the load of its policy's CPUs from time to time ({@code dbs_governor}).
 *
 * <p>Its owner fills a {@link PolicyLoad}, calls {@link #sample} and waits for the delay before it does so again. Until Linux 4.6 a timer
 * of the policy's CPU drives it and the delay is counted in ticks; later the scheduler does, whenever utilisation changes after the delay.
 */
public sealed interface SamplingGovernor extends Governor permits Ondemand, Conservative {
    /**
     * Renews the request.
     *
     * @param load what the policy's CPUs did since the last sample
     * @return the new request, kHz
     */
    int sample(PolicyLoad load);

    /**
     * Whether the delay has led to the second half of a sampling time, in which {@link #finishPeriod} is called instead of {@link
     * #sample}. Only the powersave bias of ondemand divides the time.
     */
    boolean isWithinPeriod();

    /** Begins the second half of the sampling time. Returns the new request, kHz. */
    int finishPeriod();

    /** Time between two samples as it is set, µs. */
    long samplingRateUs();

    /** Whether changes of utilisation drive the governor, instead of a timer. */
    boolean isDrivenByScheduler();

    /**
     * Ticks from now until the next sample: the samples of all CPUs fall on common multiples of the sampling time.
     *
     * @param jiffies number of the present tick
     * @param onlineCpus online CPUs of the machine; a single one does not align
     */
    int delayJiffies(long jiffies, int onlineCpus);

    /** Time from a sample until the next change of utilisation leads to another one, µs. */
    long delayUs();
}
