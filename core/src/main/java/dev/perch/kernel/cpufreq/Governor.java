package dev.perch.kernel.cpufreq;

/**
 * What requests the clock of one policy, a set of CPUs that share one request. What the hardware makes of the requests is not its
 * business.
 */
public sealed interface Governor permits Ondemand, Performance {
    /** The present request, kHz. */
    int requestKhz();

    /** Whether the governor looks at the load from time to time; if not, the request never changes. */
    boolean samples();
}
