package dev.perch.kernel.balance;

/** On which CPUs a stopper has been started to push its running task, and has not yet run ({@code rq->active_balance}). */
final class Stoppers {
    private final boolean[] started;

    Stoppers(int cpus) {
        started = new boolean[cpus];
    }

    /**
     * Starts the stopper of {@code busiest} unless it is under way.
     *
     * @return whether it was started
     */
    boolean start(int busiest, int target, BalanceHost host) {
        if (started[busiest]) {
            return false;
        }
        started[busiest] = true;
        host.requestActiveBalance(busiest, target);
        return true;
    }

    /** The stopper of a CPU runs. */
    void ran(int cpu) {
        if (!started[cpu]) {
            throw new IllegalStateException("no active balance was requested of CPU " + cpu);
        }
        started[cpu] = false;
    }
}
