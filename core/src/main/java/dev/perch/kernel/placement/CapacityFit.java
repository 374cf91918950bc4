package dev.perch.kernel.placement;

import dev.perch.kernel.load.FairCapacity;

/**
 * Whether a task fits a CPU: it uses less than 80 % of the capacity, and its clamps allow it ({@code fits_capacity}, {@code util_fits_cpu}).
 * Source: placement.md 5.8. Limitation: nothing throttles, so that the capacity which the minimum clamp is compared with is the CPU's own.
 */
final class CapacityFit {
    /** {@link #of} a CPU that the task fits but for its minimum clamp. */
    static final int BUT_FOR_MINIMUM = -1;

    private static final int FULL = 1024;

    private CapacityFit() {}

    /** Until 6.0: whether the task, clamped, fits a capacity. */
    static boolean fits(WakeRequest request, int capacity) {
        int minimum = Math.min(request.uclampMin, request.uclampMax);
        return FairCapacity.fits(Math.clamp(request.wakeeUtil, minimum, request.uclampMax), capacity);
    }

    /** From 6.1 on: 1 if the task fits the CPU, {@link #BUT_FOR_MINIMUM}, or 0. */
    static int of(WakeRequest request, int cpu, CpuView view) {
        int minimum = Math.min(request.uclampMin, request.uclampMax);
        int own = view.originalCapacity[cpu];
        boolean cappedHere = request.uclampMax <= own && !(own == FULL && request.uclampMax == FULL);
        if (!cappedHere && !FairCapacity.fits(request.wakeeUtil, view.capacity[cpu])) {
            return 0;
        }
        return request.wakeeUtil < minimum && minimum > own ? BUT_FOR_MINIMUM : 1;
    }
}
