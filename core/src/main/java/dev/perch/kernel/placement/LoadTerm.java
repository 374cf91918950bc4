package dev.perch.kernel.placement;

/**
 * What an era takes for the load of a CPU when it compares CPUs ({@code weighted_cpuload}, {@code cpu_load}). Source: placement.md 8.2,
 * 8.5. Units: nice 0 running all the time = 1024.
 */
enum LoadTerm {
    /** Sum of the load weights that are queued; to 3.10. */
    WEIGHT,
    /** PELT load of the runnable tasks only; 3.11 – 5.4. */
    RUNNABLE,
    /** PELT load with the share of blocked tasks; from 5.5. */
    AVERAGE;

    /** The load of {@code cpu}; a probe. */
    long of(CpuView view, int cpu) {
        view.probe(cpu);
        return ofProbed(view, cpu);
    }

    /** The load of a CPU whose runqueue has been looked at already. */
    long ofProbed(CpuView view, int cpu) {
        return switch (this) {
            case WEIGHT -> view.load[cpu];
            case RUNNABLE -> view.runnableLoad[cpu];
            case AVERAGE -> view.loadAvg[cpu];
        };
    }
}
