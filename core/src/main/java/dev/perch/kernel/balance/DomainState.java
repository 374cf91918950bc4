package dev.perch.kernel.balance;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import java.util.Arrays;

/**
 * What balancing remembers of every domain: when and how often it is balanced, how many attempts failed, and what newly-idle attempts
 * cost and bring (the changing part of {@code struct sched_domain}; spec: scheduler.md 4.2, 4.4, 4.5). Indexed by {@link
 * SchedDomain#index}.
 */
final class DomainState {
    /** Up to this interval, in ms, a domain with pinned tasks only is left alone for longer and longer. */
    private static final int MAX_PINNED_INTERVAL = 512;

    /** So many newly-idle attempts count before their number is halved. */
    private static final int CALLS_COUNTED = 1024;

    /** Present interval, ms ({@code balance_interval}). */
    final int[] interval;

    /** Jiffy of the last attempt ({@code last_balance}). */
    final long[] lastBalance;

    /** Attempts without success ({@code nr_balance_failed}). */
    final int[] failed;

    /** What a newly-idle attempt costs at most, ns ({@code max_newidle_lb_cost}). */
    final long[] maxCost;

    /** Of 1024 newly-idle attempts, how many are expected to bring a task ({@code newidle_ratio}). */
    final int[] ratio;

    private final long[] costStamp;
    private final int[] calls;
    private final int[] successes;

    DomainState(SchedDomains domains, long jiffies) {
        int count = domains.all().size();
        interval = new int[count];
        lastBalance = new long[count];
        failed = new int[count];
        maxCost = new long[count];
        costStamp = new long[count];
        calls = new int[count];
        successes = new int[count];
        ratio = new int[count];
        for (SchedDomain domain : domains.all()) {
            interval[domain.index()] = domain.parameters().initialIntervalMs();
        }
        Arrays.fill(lastBalance, jiffies);
        Arrays.fill(costStamp, jiffies);
        Arrays.fill(calls, CALLS_COUNTED / 2);
        Arrays.fill(successes, CALLS_COUNTED / 4);
        Arrays.fill(ratio, CALLS_COUNTED / 2);
    }

    /** Balances the domain as often as ever. */
    void shorten(SchedDomain domain) {
        interval[domain.index()] = domain.parameters().minIntervalMs();
    }

    /**
     * Leaves the domain alone for twice as long.
     *
     * @param pinned the tasks that should move may not
     */
    void lengthen(SchedDomain domain, boolean pinned) {
        int present = interval[domain.index()];
        if (pinned && present < MAX_PINNED_INTERVAL
                || present < domain.parameters().maxIntervalMs()) {
            interval[domain.index()] = 2 * present;
        }
    }

    boolean takesHotTasks(SchedDomain domain) {
        return failed[domain.index()] > domain.parameters().cacheNiceTries();
    }

    /** A newly-idle attempt has cost that much, ns; the most of them counts, as long as it is not older than a second. */
    void attemptCost(int index, long cost, long jiffies, int hz) {
        if (cost > maxCost[index]) {
            maxCost[index] = cost;
            costStamp[index] = jiffies;
        } else {
            decayCost(index, jiffies, hz);
        }
    }

    /** As {@link #attemptCost} of kernels until 5.4, which decay costs in periodic balancing only. */
    void attemptCostKept(int index, long cost) {
        maxCost[index] = Math.max(maxCost[index], cost);
    }

    /**
     * Takes something off a cost that is older than a second.
     *
     * @return whether it was
     */
    boolean decayCost(int index, long jiffies, int hz) {
        if (jiffies <= costStamp[index] + hz) {
            return false;
        }
        maxCost[index] = maxCost[index] * 253 / 256;
        costStamp[index] = jiffies;
        return true;
    }

    /**
     * A newly-idle attempt was made, or left out, for kernels with NI_RANDOM.
     *
     * @param success 0 for none; else for how many attempts it stands, of which this was one
     */
    void newIdleAttempt(int index, int success) {
        calls[index]++;
        successes[index] += success;
        if (calls[index] >= CALLS_COUNTED) {
            ratio[index] = successes[index];
            calls[index] /= 2;
            successes[index] /= 2;
        }
    }
}
