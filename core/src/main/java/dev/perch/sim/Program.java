package dev.perch.sim;

import dev.perch.model.Cost;
import java.util.ArrayList;
import java.util.List;

/**
 * What a task does: a list of operations, run in order from 0.
 *
 * <p>A channel is a queue of messages with at most one task that waits for them (a socket, a pipe).
 */
final class Program {
    /** Compute in user mode; may be preempted at any moment. */
    static final int USER = 0;

    /** Work inside the kernel; a preemption request waits until {@link #RETURN} or until the task blocks. */
    static final int KERNEL = 1;

    /** Put a message into a channel and wake the task that waits for it, announcing that the waker will sleep soon (sync). */
    static final int SEND = 2;

    /** Return to user mode: a pending preemption request is honoured here. */
    static final int RETURN = 3;

    /** Take a message from a channel; block while there is none. */
    static final int RECEIVE = 4;

    /** Count one finished operation of the workload. */
    static final int COUNT = 5;

    /** Sleep for a random time of the given mean. */
    static final int SLEEP = 6;

    /** Compute for a random time between the given bounds. */
    static final int BURST = 7;

    /** Go on at another operation. */
    static final int JUMP = 8;

    final int[] op;
    /** Channel, jump target, or lower bound in ns. */
    final int[] argument;

    final int[] coreNs;
    final int[] wallNs;
    final int[] lines;

    private Program(List<int[]> steps) {
        int size = steps.size();
        op = new int[size];
        argument = new int[size];
        coreNs = new int[size];
        wallNs = new int[size];
        lines = new int[size];
        for (int i = 0; i < size; i++) {
            int[] step = steps.get(i);
            op[i] = step[0];
            argument[i] = step[1];
            coreNs[i] = step[2];
            wallNs[i] = step[3];
            lines[i] = step[4];
        }
    }

    /** Writes a program, one call an operation. */
    static final class Builder {
        private final List<int[]> steps = new ArrayList<>();

        private Builder add(int op, int argument, Cost cost) {
            steps.add(new int[] {op, argument, cost.coreNs(), cost.wallNs(), cost.lines()});
            return this;
        }

        Builder user(Cost cost) {
            return add(USER, 0, cost);
        }

        Builder kernel(Cost cost) {
            return add(KERNEL, 0, cost);
        }

        Builder send(int channel) {
            return add(SEND, channel, Cost.NONE);
        }

        Builder returnToUser() {
            return add(RETURN, 0, Cost.NONE);
        }

        /** {@code crossing} is paid when the message was sent from another CPU; its lines come from that CPU. */
        Builder receive(int channel, Cost crossing) {
            return add(RECEIVE, channel, crossing);
        }

        Builder count() {
            return add(COUNT, 0, Cost.NONE);
        }

        /** {@code meanNs} up to 2 s. */
        Builder sleep(int meanNs) {
            return add(SLEEP, meanNs, Cost.NONE);
        }

        Builder burst(int fromNs, int toNs) {
            return add(BURST, fromNs, Cost.core(toNs));
        }

        Builder jump(int target) {
            return add(JUMP, target, Cost.NONE);
        }

        Program build() {
            return new Program(steps);
        }
    }
}
