package dev.perch.sim;

import java.util.Arrays;

/** Where every task is in its program, and what waits in the channels between them; indexed by task and channel number. */
final class Programs {
    /** {@link #waiter} of a channel for which no task waits. */
    static final int NOBODY = 0;

    final Program[] program;
    final int[] counter;
    final int[] instanceOf;
    /** Work of the current operation that was left when the task was preempted: core and wall ns; −1: the operation has not begun. */
    final long[] leftCoreNs;

    final long[] leftWallNs;
    /** The task has announced that it will sleep, and nobody has woken it since. */
    final boolean[] sleeping;
    /** The task is a kernel thread bound to one CPU. */
    final boolean[] perCpuKthread;
    /** CPU that spins until this task has been switched away from, or −1. */
    final int[] spinner;

    final int[] messages;
    final int[] waiter;
    final int[] senderCpu;

    Programs(Workload workload) {
        int count = workload.tasks().size() + 1;
        program = new Program[count];
        counter = new int[count];
        instanceOf = new int[count];
        leftCoreNs = new long[count];
        leftWallNs = new long[count];
        sleeping = new boolean[count];
        perCpuKthread = new boolean[count];
        spinner = new int[count];
        Arrays.fill(leftCoreNs, -1);
        Arrays.fill(spinner, -1);
        instanceOf[0] = Workload.NO_INSTANCE;
        for (int task = 1; task < count; task++) {
            program[task] = workload.tasks().get(task - 1).program();
            instanceOf[task] = workload.tasks().get(task - 1).instance();
            perCpuKthread[task] = instanceOf[task] == Workload.NO_INSTANCE
                    && workload.tasks().get(task - 1).allowed().count() == 1;
        }
        messages = new int[workload.channels()];
        waiter = new int[workload.channels()];
        senderCpu = new int[workload.channels()];
    }
}
