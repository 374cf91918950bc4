package dev.perch.audit;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.load.IdleScanLimit;
import dev.perch.kernel.load.UtilEst;
import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An estimate of how many CPUs of a last-level cache a search may look at ({@code nr_idle_scan} of Linux 6.0 and later; spec: placement.md
 * 7.2).
 *
 * <p>The kernel works the number out when it balances the cache's domain, and no event tells when that is. While some CPU of the cache is
 * idle that is about every {@code weight} ms, while none is it is up to sixteen times that for each core. So the number here is that of the utilisation
 * as rebuilt at the last such time, and may be out by what the utilisation has changed since.
 */
final class ScanLimits {
    private static final int CAPACITY = 1024;

    /** How much rarer the balancing of a cache without a CPU that is idle for long is: sixteen times for each core, and several cores. */
    private static final int BUSY_FACTOR = 8;

    private static final long MS = 1_000_000;
    private static final long TICK_NS = 4 * MS;

    private final AuditLoads loads;
    private final AuditCpus cpus;
    private final List<SchedDomain> caches = new ArrayList<>();
    private final int[] llcs;
    private final long[] balanced;
    private final int[] limits;

    ScanLimits(AuditLoads loads, AuditCpus cpus, SchedDomains domains) {
        this.loads = loads;
        this.cpus = cpus;
        List<Integer> ids = new ArrayList<>();
        for (int cpu = 0; cpu < domains.cpuCount(); cpu++) {
            SchedDomain cache = domains.llc(cpu);
            if (cache != null && domains.llcId(cpu) == cpu) {
                caches.add(cache);
                ids.add(cpu);
            }
        }
        llcs = ids.stream().mapToInt(Integer::intValue).toArray();
        balanced = new long[llcs.length];
        limits = new int[llcs.length];
        Arrays.fill(balanced, Long.MIN_VALUE / 2);
    }

    /** Brings the limits up to {@code ns} and writes them to {@code nrIdleScan}, by the lowest CPU of each cache. */
    void fill(int[] nrIdleScan, long ns) {
        for (int i = 0; i < llcs.length; i++) {
            SchedDomain cache = caches.get(i);
            if (ns - balanced[i] >= interval(cache, ns)) {
                balanced[i] = ns;
                limits[i] = IdleScanLimit.limit(
                        utilisation(cache, ns),
                        cache.weight(),
                        cache.parameters().imbalancePercent());
            }
            nrIdleScan[llcs[i]] = limits[i];
        }
    }

    /** A choice in the cache whose lowest CPU is {@code llc} shows what the limit is. */
    void learn(int llc, int limit, long ns) {
        for (int i = 0; i < llcs.length; i++) {
            if (llcs[i] == llc) {
                limits[i] = limit;
                balanced[i] = ns;
            }
        }
    }

    private long interval(SchedDomain cache, long ns) {
        CpuMask span = cache.span();
        for (int cpu = span.first(); cpu >= 0; cpu = span.next(cpu + 1)) {
            if (cpus.current[cpu] == 0 && ns - cpus.idleSince[cpu] >= TICK_NS) {
                return cache.weight() * MS;
            }
        }
        return (long) BUSY_FACTOR * cache.weight() * MS;
    }

    private long utilisation(SchedDomain cache, long ns) {
        long sum = 0;
        CpuMask span = cache.span();
        for (int cpu = span.first(); cpu >= 0; cpu = span.next(cpu + 1)) {
            if (cpus.current[cpu] == 0) {
                loads.balance(cpu, ns);
            }
            sum += UtilEst.cpuUtil(loads.util(cpu), loads.utilEst(cpu), CAPACITY);
        }
        return sum;
    }
}
