package dev.perch.kernel.balance;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.model.CpuMask;

/**
 * On which CPUs real-time tasks run: the highest priorities of a machine at any time, as far as affinity lets them. A woken task goes elsewhere if
 * its CPU runs one that it cannot displace; a CPU sends away those that wait ({@code push_rt_tasks}) and fetches some when its own priority drops
 * ({@code pull_rt_task}); both by the least priority that CPUs run ({@code cpupri_find}, {@code find_lowest_rq}). Source: spec scheduler.md 4.10,
 * which is an outline; the order of the search in {@link #lowest} and the conditions of {@link #select} are as generally known of Linux 3.2 to 6.18,
 * not read. A CPU that runs fair tasks counts as low as an idle one.
 *
 * <p>Nothing here allocates. Limitations: of several equally near CPUs the first is taken, where 5.11 and later take turns; unequal capacities do
 * not count; the interrupts by which larger machines ask overloaded CPUs to push ({@code RT_PUSH_IPI}) are a pull at once.
 */
public final class RealTimeBalance {
    /** No CPU of lower priority. */
    private static final int NONE = -1;

    private final Runqueue[] queues;
    private final TaskTable tasks;
    private final SchedDomains domains;
    private final MoveHost host;

    public RealTimeBalance(Runqueue[] queues, TaskTable tasks, SchedDomains domains, MoveHost host) {
        this.queues = queues;
        this.tasks = tasks;
        this.domains = domains;
        this.host = host;
    }

    /**
     * The CPU for a real-time task that is woken or new ({@code select_task_rq_rt}): its own, unless a real-time task runs there that it should not
     * displace and that another CPU could spare it.
     *
     * @param thisCpu where the waker runs
     */
    public int select(int task, int thisCpu) {
        int own = tasks.cpu[task];
        int running = queues[own].current();
        boolean stays = tasks.isFair(running)
                || isBound(task)
                || !isBound(running) && tasks.rtPriority[running] < tasks.rtPriority[task];
        int target = stays ? NONE : lowest(task, thisCpu);
        return target == NONE ? own : target;
    }

    /**
     * A real-time task has been enqueued on {@code cpu} and the check for preemption is done: if it cannot run there soon, it or another may go
     * elsewhere ({@code check_preempt_equal_prio}, {@code task_woken_rt}).
     *
     * @param thisCpu where the waker runs
     * @return whether its CPU must be told to reschedule
     */
    public boolean woken(int task, int cpu, int thisCpu) {
        Runqueue queue = queues[cpu];
        int running = queue.current();
        if (tasks.isFair(running) || running == task || queue.reschedulePending()) {
            return false;
        }
        if (tasks.rtPriority[running] == tasks.rtPriority[task]
                && lowest(running, thisCpu) != NONE
                && (isBound(task) || lowest(task, thisCpu) == NONE)) {
            queue.moveToFront(task);
            return queue.requestReschedule();
        }
        boolean waits = isBound(running) || tasks.rtPriority[running] >= tasks.rtPriority[task];
        if (waits && !isBound(task)) {
            push(cpu, thisCpu);
        }
        return false;
    }

    /**
     * Sends waiting tasks of a CPU to others that run less urgent ones, the most urgent first; after each switch, and for a task that has been woken.
     *
     * @param thisCpu who does it
     */
    public void push(int cpu, int thisCpu) {
        Runqueue source = queues[cpu];
        int task = source.pushable(Runqueue.ANY_CPU);
        while (task != IDLE_TASK && tasks.rtPriority[task] <= tasks.rtPriority[source.current()]) {
            int target = lowest(task, thisCpu);
            if (target == NONE) {
                return;
            }
            move(task, cpu, target);
            task = source.pushable(Runqueue.ANY_CPU);
        }
    }

    /**
     * Fetches tasks that wait elsewhere and are more urgent than what a CPU would run; when a real-time task has left it.
     *
     * @param left priority of the task that ran
     */
    public void pull(int cpu, int left) {
        Runqueue own = queues[cpu];
        if (own.rtPriority() >= left) {
            return;
        }
        for (Runqueue source : queues) {
            if (source.cpu() != cpu && source.nrRealTime() > 1) {
                int task = source.pushable(cpu);
                if (task != IDLE_TASK
                        && tasks.rtPriority[task] > own.rtPriority()
                        && tasks.rtPriority[task] <= tasks.rtPriority[source.current()]) {
                    move(task, source.cpu(), cpu);
                }
            }
        }
    }

    private boolean isBound(int task) {
        return tasks.allowed[task].count() == 1;
    }

    /**
     * Of the CPUs whose most urgent task is the least urgent, and less than {@code task}: its own, else the waker's if it is in the first domain around
     * its own that holds any, else the first in that domain; {@link #NONE} if there is none.
     */
    private int lowest(int task, int thisCpu) {
        CpuMask allowed = tasks.allowed[task];
        int own = tasks.cpu[task];
        CpuMask partition = domains.partitionOf(own);
        int least = tasks.rtPriority[task];
        if (isBound(task)) {
            return NONE;
        }
        for (int cpu = allowed.first(); cpu >= 0; cpu = allowed.next(cpu + 1)) {
            if (partition.contains(cpu)) {
                least = Math.min(least, queues[cpu].rtPriority());
            }
        }
        if (least == tasks.rtPriority[task]) {
            return NONE;
        }
        if (allowed.contains(own) && queues[own].rtPriority() == least) {
            return own;
        }
        boolean here = allowed.contains(thisCpu) && queues[thisCpu].rtPriority() == least;
        for (SchedDomain domain = domains.lowest(own); domain != null; domain = domain.parent()) {
            if (domain.has(DomainFlags.WAKE_AFFINE)) {
                if (here && domain.span().contains(thisCpu)) {
                    return thisCpu;
                }
                int first = first(allowed, domain.span(), least);
                if (first >= 0) {
                    return first;
                }
            }
        }
        return here ? thisCpu : first(allowed, partition, least);
    }

    private int first(CpuMask allowed, CpuMask span, int priority) {
        int cpu = allowed.nextAnd(span, 0);
        while (cpu >= 0 && queues[cpu].rtPriority() != priority) {
            cpu = allowed.nextAnd(span, cpu + 1);
        }
        return cpu;
    }

    private void move(int task, int from, int to) {
        long now = host.now();
        queues[from].refresh(now);
        queues[from].dequeueMoved(task);
        tasks.cpu[task] = to;
        queues[to].refresh(now);
        queues[to].enqueueMoved(task);
        host.moved(task, from, to, queues[to].checkPreempt(task));
    }
}
