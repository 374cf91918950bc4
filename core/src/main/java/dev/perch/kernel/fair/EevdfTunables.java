package dev.perch.kernel.fair;

import java.util.Map;

/**
 * The tunables of EEVDF as they are in effect on a machine (spec: scheduler.md 2.1; debugfs of Linux 6.6 to 6.18).
 *
 * @param baseSlice {@code base_slice_ns}: request size of tasks that did not choose one, ns
 * @param unscaledBaseSlice the same on a machine of one CPU, ns
 * @param tick time between two ticks, ns
 */
record EevdfTunables(long baseSlice, long unscaledBaseSlice, long tick) {
    /**
     * @param onlineCpus online CPUs of the whole machine; at least 1
     * @param hz ticks a second
     * @param written tunables by name, {@code base_slice_ns}; other names are ignored
     */
    static EevdfTunables scaled(EevdfVersion version, int onlineCpus, int hz, Map<String, Long> written) {
        long unscaled = version.unscaledBaseSlice();
        long computed = unscaled * CfsTunables.factor(onlineCpus);
        return new EevdfTunables(CfsTunables.read(written, "base_slice_ns", computed), unscaled, 1_000_000_000 / hz);
    }
}
