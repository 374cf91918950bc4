package dev.perch.cli;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.load.IdleScanLimit;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many CPUs a search under SIS_UTIL may look at, by how utilised the cache is: for each size of last-level cache that a machine has.
 *
 * <p>The utilisations are those of the table in the message of commit 70fb5ccf2ebb (Linux 6.0). Sizes are those of the LLC domains.
 */
final class ScanLimits {
    /** Utilisation of the cache, per cent. */
    static final int[] PERCENT = {0, 5, 15, 25, 35, 45, 55, 65, 75, 85, 86};

    private ScanLimits() {}

    /** The limits for each of {@link #PERCENT}, by number of CPUs of a cache. */
    static Map<Integer, int[]> of(SchedDomains domains) {
        Map<Integer, int[]> bySize = new TreeMap<>();
        for (int cpu = 0; cpu < domains.cpuCount(); cpu++) {
            SchedDomain cache = domains.llc(cpu);
            if (cache != null) {
                bySize.computeIfAbsent(
                        cache.weight(), size -> limits(size, cache.parameters().imbalancePercent()));
            }
        }
        return bySize;
    }

    private static int[] limits(int cpus, int imbalancePercent) {
        int[] limits = new int[PERCENT.length];
        for (int i = 0; i < PERCENT.length; i++) {
            limits[i] = IdleScanLimit.limit(1024L * cpus * PERCENT[i] / 100, cpus, imbalancePercent);
        }
        return limits;
    }

    /** The table as text; empty if no CPU shares a cache. */
    static String text(SchedDomains domains) {
        Map<Integer, int[]> bySize = of(domains);
        if (bySize.isEmpty()) {
            return "";
        }
        StringBuilder text =
                new StringBuilder("CPUs that a search may look at (SIS_UTIL), by utilisation of the cache\n  %      ");
        for (int percent : PERCENT) {
            text.append(String.format(Locale.ROOT, "%5d", percent));
        }
        bySize.forEach((size, limits) -> {
            text.append(String.format(Locale.ROOT, "\n  of %3d:", size)).append(' ');
            for (int limit : limits) {
                text.append(String.format(Locale.ROOT, "%5d", limit));
            }
        });
        return text.append('\n').toString();
    }
}
