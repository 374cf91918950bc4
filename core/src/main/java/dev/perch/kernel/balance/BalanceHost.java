package dev.perch.kernel.balance;

import dev.perch.kernel.domain.SchedDomain;

/** What balancing needs of the world around the runqueues, and tells it. */
public interface BalanceHost extends MoveHost {
    /** Whether a CPU is idle, as the kernel's {@code idle_cpu} sees it. */
    boolean isIdle(int cpu);

    /**
     * The statistics of a domain have been taken on {@code cpu}, which may balance it and is not newly idle ({@code
     * update_sd_lb_stats}).
     */
    default void statisticsTaken(int cpu, SchedDomain domain) {}

    /** The load of what sleeps on a CPU is to decay up to now ({@code update_blocked_averages}). */
    default void ageBlockedLoad(int cpu) {}

    /**
     * Takes the one lock under which domains are balanced that only one CPU may balance at a time.
     *
     * @return whether it was free; if so {@link #unlockBalancing} follows
     */
    boolean tryLockBalancing(int cpu);

    void unlockBalancing(int cpu);

    /**
     * The stopper of {@code busiest} is to be started: it displaces the task running there, and once it runs, {@link
     * Balancer#activeBalance} is called.
     */
    void requestActiveBalance(int busiest, int target);

    /**
     * An idle CPU is to be sent a reschedule interrupt; if it is then still idle and no reschedule is pending there, {@link
     * Balancer#softirq} is called for it as for an idle tick.
     */
    void kickIdleBalancer(int cpu);

    /** Whether a remote wakeup waits on a CPU to be worked off ({@code ttwu_pending}). */
    boolean wakeupPending(int cpu);

    /** How long it takes to look at {@code probes} CPUs and to move {@code moves} tasks, ns. */
    long cost(long probes, long moves);

    /** A random number from 0 to {@code bound} - 1, for kernels with the feature NI_RANDOM. */
    int draw(int bound);
}
