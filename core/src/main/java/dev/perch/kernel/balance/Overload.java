package dev.perch.kernel.balance;

/**
 * Whether some CPU of a root domain has two or more runnable tasks, or had since that was last looked at ({@code rd->overload}, 3.18 and
 * later; spec: scheduler.md 4.5). Newly-idle balancing is left out where it is not set.
 */
final class Overload {
    private final DomainTraits traits;
    private final boolean[] set;

    Overload(DomainTraits traits) {
        this.traits = traits;
        set = new boolean[traits.rootCount()];
    }

    boolean isSet(int cpu) {
        return set[traits.root(cpu)];
    }

    /** A CPU has so many runnable tasks. */
    void counted(int cpu, int nrRunning) {
        if (nrRunning >= 2) {
            set[traits.root(cpu)] = true;
        }
    }

    /** The whole root domain of a CPU was looked at. */
    void found(int cpu, boolean overloaded) {
        set[traits.root(cpu)] = overloaded;
    }
}
