package dev.perch.kernel.placement;

/**
 * How much of a CPU is in use when the task to be placed is left out ({@code cpu_util_without}, {@code cpu_util_wake}). Source:
 * placement.md 8.7, 8.8. Units: 1024 = a whole CPU of the machine's fastest.
 */
final class Utilisation {
    private Utilisation() {}

    /** Utilisation of {@code cpu}, at most its capacity. */
    static long without(int cpu, WakeRequest request, CpuView view) {
        long util = view.utilAvg[cpu];
        long expected = view.utilEst[cpu];
        if (counts(cpu, request)) {
            util = Math.max(0, util - request.wakeeUtilAvg);
            expected = request.queuedOnPrev ? Math.max(0, expected - request.wakeeUtil) : expected;
        }
        return Math.min(Math.max(util, expected), view.originalCapacity[cpu]);
    }

    /** Whether the averages of {@code cpu} hold a share of the task's: it last ran there, and is not new. */
    static boolean counts(int cpu, WakeRequest request) {
        return cpu == request.prevCpu && request.kind != WakeKind.FORK;
    }
}
