package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;

/** A whole idle core, else an idle CPU within the budget, else an idle thread of the target's core: 4.9 – 5.11. */
final class SeparateScans implements CacheScan {
    private final CoreScan cores;
    private final CpuScan cpus;
    private final ThreadScan threads;

    SeparateScans(CoreScan cores, CpuScan cpus, ThreadScan threads) {
        this.cores = cores;
        this.cpus = cpus;
        this.threads = threads;
    }

    @Override
    public int scan(SchedDomain cache, WakeRequest request, int target, CpuView view) {
        int cpu = cores.scan(cache, request, target, view);
        if (cpu < 0) {
            cpu = cpus.scan(cache, request, target, view);
        }
        return cpu >= 0 ? cpu : threads.scan(target, cache, request, view);
    }
}
