package dev.perch.kernel.balance;

import dev.perch.kernel.domain.SchedDomain;

/** One attempt to balance one domain ({@code load_balance}, {@code sched_balance_rq}; spec: scheduler.md 4.4). Allocates nothing. */
sealed interface Attempt permits WeightAttempt, TypedAttempt {
    /**
     * Tries to move tasks to {@code cpu} from the busiest group of one of its domains.
     *
     * @return how many moved
     */
    int balance(int cpu, SchedDomain domain, BalanceMode mode, BalanceHost host);

    /** Whether it fell to the CPU to balance the domain, as of the last {@link #balance}. */
    boolean wasAllowed();

    /**
     * The stopper of {@code source} has displaced its task: moves one to {@code target}.
     *
     * @param domain of the target, the smallest that has both CPUs
     * @return whether one was moved
     */
    boolean push(int source, int target, SchedDomain domain, BalanceHost host);

    /** CPUs looked at since the beginning. */
    long probes();

    /** Tasks moved since the beginning. */
    long moves();
}
