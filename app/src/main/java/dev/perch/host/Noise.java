package dev.perch.host;

import dev.perch.host.linux.CpuTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What else happened on the CPUs of a measurement meanwhile.
 *
 * @param steal share of their time that a hypervisor gave to something else
 * @param others share of their time in which they ran neither end of the benchmark, nor anything else of their processes
 */
public record Noise(double steal, double others) {
    private static final double MOST_STEAL = 0.01;
    private static final double MOST_OTHERS = 0.05;
    private static final double MOST_SPREAD = 0.10;

    /**
     * From two readings.
     *
     * @param ownNs CPU time of the benchmark's processes between them
     * @return nothing if no tick lies between them, or the kernel does not tell
     */
    public static Optional<Noise> between(CpuTime before, CpuTime after, long ownNs) {
        long all = after.all() - before.all();
        if (all <= 0) {
            return Optional.empty();
        }
        double ownTicks = (double) ownNs / CpuTime.TICK_NS;
        double steal = (double) (after.steal() - before.steal()) / all;
        double others = (after.busy() - before.busy() - ownTicks) / all;
        return Optional.of(new Noise(Math.clamp(steal, 0, 1), Math.clamp(others, 0, 1)));
    }

    /**
     * What speaks against the repeats of a row.
     *
     * @param noise mean of the repeats
     * @param spread between the extremes of the repeats, relative to their mean
     * @return in words, with the numbers; empty if nothing does
     */
    public static String warning(Optional<Noise> noise, double spread) {
        List<String> reasons = new ArrayList<>();
        noise.filter(some -> some.steal > MOST_STEAL)
                .ifPresent(some -> reasons.add(
                        percent(some.steal) + " of CPU time was stolen (more than " + percent(MOST_STEAL) + ")"));
        noise.filter(some -> some.others > MOST_OTHERS)
                .ifPresent(some -> reasons.add(
                        percent(some.others) + " went to other tasks (more than " + percent(MOST_OTHERS) + ")"));
        if (spread > MOST_SPREAD) {
            reasons.add("repeats spread over " + percent(spread) + " of their mean (more than " + percent(MOST_SPREAD)
                    + ")");
        }
        return String.join(", ", reasons);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.1 && share * 100 % 1 != 0 ? "%.1f %%" : "%.0f %%", share * 100);
    }
}
