package dev.perch.kernel.balance;

import dev.perch.kernel.RuleSets;
import dev.perch.model.InputException;

/**
 * In what the balancers of Linux 3.2 to 6.19 differ (spec: scheduler.md 4.7, 4.8).
 *
 * @param version the kernel's {@code balance} rules
 * @param listPerCpu runqueue rules 3.4 and later: one list a CPU, at whose tail go the tasks that are passed over
 */
record BalanceRules(BalanceVersion version, boolean listPerCpu) {
    /** {@code sched_nr_migrate}. */
    static final int TASKS_LOOKED_AT = 32;

    /**
     * The rules that a kernel file names under {@code balance} and {@code runqueue}; unknown names of the latter are {@link
     * dev.perch.kernel.fair.Runqueues}' to refuse.
     *
     * @throws InputException if there are none of that name
     */
    static BalanceRules of(RuleSets rules) {
        return new BalanceRules(
                BalanceVersion.named(rules.balance()), !rules.runqueue().equals("3.2"));
    }

    /** A group counts as imbalanced by the spread of its task counts. */
    boolean imbalancedByCounts() {
        return version.since(BalanceVersion.V3_6);
    }

    /** How many tasks of a queue with {@code nrRunning} tasks one attempt looks at. */
    int mostLookedAt(int nrRunning) {
        return version.since(BalanceVersion.V3_3) ? Math.min(TASKS_LOOKED_AT, nrRunning) : TASKS_LOOKED_AT + 1;
    }
}
