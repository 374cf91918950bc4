package dev.perch.kernel.placement;

/**
 * Whether a task's utilisation leaves a fifth of a CPU's capacity free ({@code fits_capacity}, {@code util_fits_cpu}). Source:
 * placement.md 5.8. Limitation: no thermal pressure, so that the capacity under heat is the original one.
 */
final class CapacityFit {
    private CapacityFit() {}

    /** 5.5 – 6.0: the task, within its clamps, against a capacity. */
    static boolean fits(WakeRequest request, int capacity) {
        int util = Math.min(Math.max(request.wakeeUtil, request.uclampMin), request.uclampMax);
        return withMargin(util, capacity);
    }

    /** From 6.1 on: the lower clamp must fit the CPU's original capacity; an upper clamp below that makes any task fit. */
    static boolean fitsClamped(int cpu, WakeRequest request, CpuView view) {
        int original = view.originalCapacity[cpu];
        boolean unclamped = original == 1024 && request.uclampMax == 1024;
        boolean fits = withMargin(request.wakeeUtil, view.capacity[cpu])
                || !unclamped && request.uclampMax <= original;
        int lower = Math.min(request.uclampMin, request.uclampMax);
        return fits && !(request.wakeeUtil < lower && lower > original);
    }

    private static boolean withMargin(int util, int capacity) {
        return util * 1280L < capacity * 1024L;
    }
}
