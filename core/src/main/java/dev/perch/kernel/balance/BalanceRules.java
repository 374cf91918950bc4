package dev.perch.kernel.balance;

import dev.perch.model.InputException;

/**
 * In what the balancers of Linux 3.2 to 3.12 differ (spec: scheduler.md 4.7).
 *
 * @param listPerCpu since 3.4: tasks that are passed over go to the tail of the CPU's list, and no more are looked at than are queued
 * @param imbalancedByCounts since 3.6: a group counts as imbalanced by the spread of its task counts, not by the count of its most
 *     loaded CPU
 */
public record BalanceRules(boolean listPerCpu, boolean imbalancedByCounts) {
    /** {@code sched_nr_migrate}. */
    private static final int TASKS_LOOKED_AT = 32;

    /**
     * The rules that a kernel file names under {@code balance}. {@code 3.3} are those of 3.4, which 3.3 shares as far as it is known.
     *
     * @throws InputException if there are none of that name
     */
    public static BalanceRules named(String id) {
        return switch (id) {
            case "3.2" -> new BalanceRules(false, false);
            case "3.3" -> new BalanceRules(true, false);
            case "3.6" -> new BalanceRules(true, true);
            default -> throw new InputException("there are no balance rules '" + id + "'; known are 3.2, 3.3, 3.6");
        };
    }

    /** How many tasks of a queue with {@code nrRunning} tasks one attempt looks at. */
    int mostLookedAt(int nrRunning) {
        return listPerCpu ? Math.min(TASKS_LOOKED_AT, nrRunning) : TASKS_LOOKED_AT + 1;
    }
}
