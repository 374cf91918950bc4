package dev.perch.sim;

import dev.perch.sim.workload.Workload;
import dev.perch.sim.workload.Workload.Shared;

/**
 * What tasks wait for through futexes: semaphores, locks, barriers, conditions. Their wakeups are not sync (spec scheduler.md 9.1).
 *
 * <p>Who waits longest is served first. A post hands a waiting task the unit at once, as System V semaphores do; a freed lock is free until
 * somebody takes it, and the woken task may come too late and wait again, at the end.
 *
 * <p>Limitations: nobody spins for a lock.
 */
final class Futexes {
    private final WaitQueues queues;
    private final int firstSemaphore;
    private final int firstLock;
    private final int firstBarrier;
    private final int firstCondition;

    private final int[] value;
    private final int[] maximum;
    private final long[] postedAt;
    private final int[] owner;
    private final int[] parties;
    private final int[] arrived;

    /** By task: what it waits for has come. */
    private final boolean[] granted;
    /** By task: it has begun to wait for a condition. */
    private final boolean[] waiting;
    /** By task: the lock of a CPU that it has. */
    private final int[] heldOfCpu;
    /** By task: when it was marked, ns. */
    private final long[] mark;

    Futexes(Shared shared, int tasks, WaitQueues queues, int firstQueue, long[] mark) {
        this.queues = queues;
        this.mark = mark;
        int semaphores = shared.semaphores().size();
        firstSemaphore = firstQueue;
        firstLock = firstSemaphore + semaphores;
        firstBarrier = firstLock + shared.locks();
        firstCondition = firstBarrier + shared.barriers().size();
        value = shared.semaphores().stream()
                .mapToInt(Workload.Semaphore::initial)
                .toArray();
        maximum = shared.semaphores().stream()
                .mapToInt(Workload.Semaphore::maximum)
                .toArray();
        postedAt = new long[semaphores];
        owner = new int[shared.locks()];
        parties = shared.barriers().stream().mapToInt(Integer::intValue).toArray();
        arrived = new int[parties.length];
        granted = new boolean[tasks];
        waiting = new boolean[tasks];
        heldOfCpu = new int[tasks];
    }

    /** Queues that the things of a workload need. */
    static int queueCount(Shared shared) {
        return shared.semaphores().size() + shared.locks() + shared.barriers().size() + shared.conditions();
    }

    private boolean takeGrant(int task) {
        boolean had = granted[task];
        granted[task] = false;
        return had;
    }

    /** Raises a semaphore; whom it serves is marked with the time {@code now}. */
    void post(int semaphore, int count, int task, long now) {
        postedAt[semaphore] = now;
        for (int unit = 0; unit < count; unit++) {
            int wakee = queues.wakeOne(firstSemaphore + semaphore, task, false);
            if (wakee == WaitQueues.NOBODY) {
                value[semaphore] = (int) Math.min(maximum[semaphore], (long) value[semaphore] + count - unit);
                return;
            }
            granted[wakee] = true;
            mark[wakee] = now;
        }
    }

    /** @return false: the semaphore is 0 and the task waits in a queue */
    boolean await(int semaphore, int task) {
        if (takeGrant(task)) {
            return true;
        }
        if (value[semaphore] > 0) {
            value[semaphore]--;
            mark[task] = postedAt[semaphore];
            return true;
        }
        queues.add(firstSemaphore + semaphore, task);
        return false;
    }

    /** @return false: another task has the lock and this one waits in a queue */
    boolean lock(int lock, int task) {
        if (owner[lock] == WaitQueues.NOBODY) {
            owner[lock] = task;
            return true;
        }
        queues.add(firstLock + lock, task);
        return false;
    }

    void unlock(int lock, int task) {
        owner[lock] = WaitQueues.NOBODY;
        queues.wakeOne(firstLock + lock, task, false);
    }

    /** As {@link #lock}; the CPU counts at the first try. */
    boolean lockOfCpu(int first, int cpu, int task) {
        if (!waiting[task]) {
            waiting[task] = true;
            heldOfCpu[task] = first + cpu;
        }
        if (!lock(heldOfCpu[task], task)) {
            return false;
        }
        waiting[task] = false;
        return true;
    }

    void unlockOfCpu(int task) {
        unlock(heldOfCpu[task], task);
    }

    /** @return false: others have still to come, and the task waits in a queue */
    boolean arrive(int barrier, int task) {
        if (takeGrant(task)) {
            return true;
        }
        if (arrived[barrier] + 1 < parties[barrier]) {
            arrived[barrier]++;
            queues.add(firstBarrier + barrier, task);
            return false;
        }
        arrived[barrier] = 0;
        int wakee = queues.wakeOne(firstBarrier + barrier, task, false);
        while (wakee != WaitQueues.NOBODY) {
            granted[wakee] = true;
            wakee = queues.wakeOne(firstBarrier + barrier, task, false);
        }
        return true;
    }

    /**
     * The task begins to wait for a condition and frees {@code lock}, or has been waiting.
     *
     * @return false: nobody has signalled yet
     */
    boolean awaitCondition(int condition, int lock, int task) {
        if (!waiting[task]) {
            waiting[task] = true;
            queues.add(firstCondition + condition, task);
            unlock(lock, task);
            return false;
        }
        if (!takeGrant(task)) {
            return false;
        }
        waiting[task] = false;
        return true;
    }

    void signal(int condition, int count, int task, long now) {
        for (int unit = 0; unit < count; unit++) {
            int wakee = queues.wakeOne(firstCondition + condition, task, false);
            if (wakee == WaitQueues.NOBODY) {
                return;
            }
            granted[wakee] = true;
            mark[wakee] = now;
        }
    }
}
