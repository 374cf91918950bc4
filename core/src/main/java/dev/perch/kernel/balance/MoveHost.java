package dev.perch.kernel.balance;

/** Who is told of tasks that are moved between runqueues. */
public interface MoveHost {
    /** The present time, ns. */
    long now();

    /**
     * A task has been moved between two queues.
     *
     * @param reschedule the destination must be told to reschedule: the task preempts what runs there, or it is idle
     */
    void moved(int task, int from, int to, boolean reschedule);
}
