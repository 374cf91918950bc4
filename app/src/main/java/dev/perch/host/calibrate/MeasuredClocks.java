package dev.perch.host.calibrate;

import dev.perch.model.Frequencies;
import dev.perch.model.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The clocks of the host. All costs were measured at the clock that the CPU had meanwhile, which is the nominal one here; below it are the
 * requests that the kernel offers.
 *
 * <p>Limitation: whether the measured clock was a turbo clock is not known, so there is no turbo.
 */
final class MeasuredClocks {
    private static final int TRANSITION_US = 10;
    private static final int UNKNOWN_KHZ = 1_000_000;
    /** Nearer to the measured clock than this, a request is the measured clock. */
    private static final double SAME = 0.02;

    private final HostReadings readings;
    private final Map<String, Origin> origins;

    MeasuredClocks(HostReadings readings, Map<String, Origin> origins) {
        this.readings = readings;
        this.origins = origins;
    }

    Frequencies frequencies() {
        int nominal = readings.of(Probe.CLOCK)
                .map(reading -> {
                    origins.put("frequencies", HostOrigins.measured("a loop of dependent additions, kHz", reading));
                    return (int) Math.rint(reading.median() / 1000) * 1000;
                })
                .orElseGet(() -> {
                    origins.put(
                            "frequencies", HostOrigins.assumed("the clock cannot be seen; all costs are at one clock"));
                    return UNKNOWN_KHZ;
                });
        origins.put("frequencies.domain", HostOrigins.assumed("each core has its own clock"));
        origins.put("frequencies.transition-latency-us", HostOrigins.assumed("usual"));
        return new Frequencies(
                nominal,
                requests(nominal),
                0,
                List.of(),
                TRANSITION_US,
                Frequencies.Domain.CORE,
                Frequencies.Policy.CPU);
    }

    private List<Integer> requests(int nominal) {
        TreeSet<Integer> requests = new TreeSet<>(List.of(nominal));
        readings.clocks().ifPresent(facts -> {
            List<Integer> table = new ArrayList<>(facts.table());
            table.add(facts.minKhz());
            table.stream().filter(khz -> khz > 0 && khz < nominal * (1 - SAME)).forEach(requests::add);
            origins.put(
                    "frequencies.p-states-khz",
                    new Origin(
                            Origin.Kind.MEASURED, "cpufreq in sysfs (" + facts.driver() + "), and the measured clock"));
        });
        return List.copyOf(requests);
    }
}
