package dev.perch.sim;

import dev.perch.kernel.TaskTable;
import dev.perch.model.InputException;
import dev.perch.sim.workload.Program;
import dev.perch.sim.workload.Workload;
import java.util.Arrays;

/** Where every task is in its program, and what waits in the channels between them; indexed by task and channel number. */
final class Programs {
    /** {@link #waiter} of a channel for which no task waits. */
    static final int NOBODY = WaitQueues.NOBODY;

    static final long NOT_WOKEN = -1;

    final Program[] program;
    final int[] counter;
    final int[] instanceOf;
    /** Tasks of one process have equal numbers; −1 is the idle thread's. */
    final int[] process;
    /** Work of the current operation that was left when the task was preempted: core and wall ns; −1: the operation has not begun. */
    final long[] leftCoreNs;

    final long[] leftWallNs;
    /** The task has announced that it will sleep, and nobody has woken it since. */
    final boolean[] sleeping;
    /** The task is a kernel thread bound to one CPU. */
    final boolean[] perCpuKthread;
    /** The task will sleep when it has woken those that it still has to wake. */
    final boolean[] blocking;
    /** CPU that spins until this task has been switched away from, or −1. */
    final int[] spinner;
    /** Row that the task drew or received last. */
    final int[] row;
    /** When the task was marked last, ns. */
    final long[] mark;

    /** When the task's sleep ends, ns. */
    final long[] dueAt;
    /** Since when the task has been able to run after a wakeup that it has not followed yet, ns; or {@link #NOT_WOKEN}. */
    final long[] wokenAt;
    /** When the task's stopwatch was started, ns. */
    final long[] stopwatch;
    /** By task: the series of its wakeup latencies. */
    final int[] latency;

    final int[] parent;
    final int[] childrenAlive;
    /** The task waits for its children to end. */
    final boolean[] joining;

    final boolean[] exited;
    /** The task was taken by {@link #child}. */
    private final boolean[] started;

    final int[] messages;
    final int[] waiter;
    final int[] senderCpu;
    final int[] messageRow;
    /** By timer: its last activation, ns; −1: none yet. */
    final long[] activation;

    private final int loopLevels;
    private final int[] timesDone;

    Programs(Workload workload) {
        int count = workload.tasks().size() + 1;
        program = new Program[count];
        counter = new int[count];
        instanceOf = new int[count];
        process = new int[count];
        leftCoreNs = new long[count];
        leftWallNs = new long[count];
        sleeping = new boolean[count];
        perCpuKthread = new boolean[count];
        blocking = new boolean[count];
        spinner = new int[count];
        row = new int[count];
        mark = new long[count];
        dueAt = new long[count];
        wokenAt = new long[count];
        stopwatch = new long[count];
        latency = new int[count];
        started = new boolean[count];
        Arrays.fill(wokenAt, NOT_WOKEN);
        Arrays.fill(latency, Workload.NO_SERIES);
        parent = new int[count];
        childrenAlive = new int[count];
        joining = new boolean[count];
        exited = new boolean[count];
        Arrays.fill(leftCoreNs, -1);
        Arrays.fill(spinner, -1);
        instanceOf[0] = Workload.NO_INSTANCE;
        process[0] = -1;
        for (int task = 1; task < count; task++) {
            Workload.Task description = workload.tasks().get(task - 1);
            program[task] = description.program();
            instanceOf[task] = description.instance();
            process[task] = description.process();
            perCpuKthread[task] = instanceOf[task] == Workload.NO_INSTANCE
                    && description.allowed().count() == 1;
            latency[task] = description.latency();
        }
        int channels = workload.shared().channels();
        messages = new int[channels];
        waiter = new int[channels];
        senderCpu = new int[channels];
        messageRow = new int[channels];
        activation = new long[workload.shared().timers()];
        Arrays.fill(activation, -1);
        loopLevels = workload.loopLevels();
        timesDone = new int[count * loopLevels];
    }

    /** The body of a loop has been done once more; whether it has to be done again. */
    boolean again(int task, int level, int times) {
        int loop = task * loopLevels + level;
        if (++timesDone[loop] < times) {
            return true;
        }
        timesDone[loop] = 0;
        return false;
    }

    /**
     * The task that a fork starts: {@code first} itself if {@code count} is 0, else the first of {@code count} that does not live; one that
     * has lived begins anew.
     *
     * @throws InputException if all of them live
     */
    int child(int first, int count, TaskTable tasks) {
        if (count == 0) {
            return first;
        }
        for (int task = first; task < first + count; task++) {
            if (!started[task]) {
                started[task] = true;
                return task;
            }
            if (exited[task] && !tasks.onQueue[task] && !tasks.onCpu[task]) {
                exited[task] = false;
                sleeping[task] = false;
                counter[task] = 0;
                tasks.lastCpu[task] = -1;
                return task;
            }
        }
        throw new InputException(
                "a workload forks a task of which " + count + " live already; let them end, or fork more slowly");
    }

    /** The task begins to run; the latency of the wakeup behind it, or {@link #NOT_WOKEN}. */
    long followsWakeup(int task, long now) {
        long since = wokenAt[task];
        wokenAt[task] = NOT_WOKEN;
        return since == NOT_WOKEN ? NOT_WOKEN : now - since;
    }
}
