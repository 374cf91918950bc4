package dev.perch.kernel.balance;

import dev.perch.kernel.RuleSets;
import dev.perch.model.InputException;

/**
 * In what the balancers of Linux 3.2 to 3.12 differ (spec: scheduler.md 4.7).
 *
 * @param limitedByQueue balance rules 3.3: no more tasks are looked at than are queued, 32 at most; before, 33 at most
 * @param imbalancedByCounts balance rules 3.6: a group counts as imbalanced by the spread of its task counts, not by the count of its
 *     most loaded CPU
 * @param listPerCpu runqueue rules 3.4 and later: one list a CPU, at whose tail go the tasks that are passed over
 */
record BalanceRules(boolean limitedByQueue, boolean imbalancedByCounts, boolean listPerCpu) {
    /** {@code sched_nr_migrate}. */
    private static final int TASKS_LOOKED_AT = 32;

    /**
     * The rules that a kernel file names under {@code balance} and {@code runqueue}; unknown names of the latter are {@link
     * dev.perch.kernel.fair.Runqueues}' to refuse.
     *
     * @throws InputException if there are none of that name
     */
    static BalanceRules of(RuleSets rules) {
        boolean listPerCpu = !rules.runqueue().equals("3.2");
        return switch (rules.balance()) {
            case "3.2" -> new BalanceRules(false, false, listPerCpu);
            case "3.3" -> new BalanceRules(true, false, listPerCpu);
            case "3.6" -> new BalanceRules(true, true, listPerCpu);
            default ->
                throw new InputException(
                        "there are no balance rules '" + rules.balance() + "'; known are 3.2, 3.3, 3.6");
        };
    }

    /** How many tasks of a queue with {@code nrRunning} tasks one attempt looks at. */
    int mostLookedAt(int nrRunning) {
        return limitedByQueue ? Math.min(TASKS_LOOKED_AT, nrRunning) : TASKS_LOOKED_AT + 1;
    }
}
