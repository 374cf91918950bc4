package dev.perch.kernel.cpufreq;

/**
 * What requests the clock of one policy, a set of CPUs that share one request. What the hardware makes of the requests is not its
 * business.
 */
public sealed interface Governor permits Performance, Powersave, Userspace, SamplingGovernor, Schedutil {
    /** The present request, kHz. */
    int requestKhz();
}
