package dev.perch.kernel.balance;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.Runqueue;

/**
 * Moves tasks from one runqueue to another, as far as they may and are not cache-hot ({@code can_migrate_task}, {@code task_hot},
 * {@code balance_tasks}, {@code move_one_task} of Linux 3.2 to 5.4; spec: scheduler.md 4.7).
 */
final class TaskMover {
    private final Runqueue[] queues;
    private final TaskTable tasks;
    private final BalanceRules rules;
    private final BalanceSettings settings;
    private boolean allPinned;
    private long moves;

    TaskMover(Runqueue[] queues, TaskTable tasks, BalanceRules rules, BalanceSettings settings) {
        this.queues = queues;
        this.tasks = tasks;
        this.rules = rules;
        this.settings = settings;
    }

    /** Tasks moved since the beginning. */
    long moves() {
        return moves;
    }

    /** No task that the last {@link #move} considered may run on the destination. */
    boolean allPinned() {
        return allPinned;
    }

    /**
     * Moves tasks until {@code imbalance} is made up for.
     *
     * @param takeHot cache-hot tasks may move too
     * @return how many tasks were moved
     */
    int move(int from, int to, long imbalance, boolean takeHot, BalanceMode mode, BalanceHost host) {
        Runqueue source = queues[from];
        int limit = rules.mostLookedAt(source.nrRunning());
        long remaining = imbalance;
        int moved = 0;
        allPinned = true;
        int task = source.firstInList();
        for (int looked = 0; task != IDLE_TASK && looked < limit && remaining > 0; looked++) {
            int next = source.nextInList(task);
            long weight = source.weightAtRoot(task);
            if (weight >> 1 <= remaining && mayMove(task, source, to, takeHot)) {
                moveTask(task, from, to, host);
                moved++;
                remaining -= weight;
                if (settings.fullPreemption() && mode == BalanceMode.NEWLY_IDLE) {
                    break;
                }
            } else if (rules.listPerCpu()) {
                source.moveToTail(task);
            }
            task = next;
        }
        return moved;
    }

    /**
     * Moves the first task that may move.
     *
     * @return whether there was one
     */
    boolean moveOne(int from, int to, boolean takeHot, BalanceHost host) {
        Runqueue source = queues[from];
        for (int task = source.firstInList(); task != IDLE_TASK; task = source.nextInList(task)) {
            if (mayMove(task, source, to, takeHot)) {
                moveTask(task, from, to, host);
                return true;
            }
        }
        return false;
    }

    private boolean mayMove(int task, Runqueue source, int to, boolean takeHot) {
        if (source.isThrottled(task) || queues[to].isThrottled(task) || !tasks.allowed[task].contains(to)) {
            return false;
        }
        allPinned = false;
        boolean running = tasks.onCpu[task] || source.current() == task;
        return !running && (takeHot || !isHot(task, source, queues[to]));
    }

    private boolean isHot(int task, Runqueue source, Runqueue destination) {
        if (tasks.policy[task] == TaskTable.POLICY_IDLE) {
            return false;
        }
        if (settings.cacheHotBuddy() && destination.nrRunning() > 0 && source.isNextOrLastBuddy(task)) {
            return true;
        }
        long cost = settings.migrationCost();
        return cost == -1 || cost != 0 && source.clock() - tasks.execStart[task] < cost;
    }

    private void moveTask(int task, int from, int to, BalanceHost host) {
        Runqueue source = queues[from];
        Runqueue destination = queues[to];
        long now = host.now();
        source.refresh(now);
        source.dequeueMoved(task);
        tasks.cpu[task] = to;
        destination.refresh(now);
        destination.enqueueMoved(task);
        moves++;
        host.moved(task, from, to, destination.checkPreempt(task));
    }
}
