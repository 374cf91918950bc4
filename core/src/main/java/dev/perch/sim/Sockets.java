package dev.perch.sim;

import dev.perch.sim.workload.Workload;

/**
 * The connected pairs of Unix-domain stream sockets of a run: messages on their way to each end, what they are charged to their sender, and
 * who sleeps at which end ({@code net/unix/af_unix.c}, alike from 2.6.39 to 6.18; spec scheduler.md 9.4).
 *
 * <p>A message is charged its true size until it has been received in full. A sender waits while its end's charge has reached the limit.
 * Whoever waits at an end, to receive or to send there, sleeps on the one queue of that end, and its wake function does not ask what it is
 * woken for ({@code unix_stream_data_wait}, {@code sock_wait_for_wmem}). All of the queue are woken, synchronously, by two things:
 *
 * <ul>
 *   <li>a message to this end ({@code sock_def_readable});
 *   <li>a message from this end that has been received and is freed, inside the receiver's call, if the end's charge is then at most a quarter
 *       of the limit ({@code sock_wfree}, {@code unix_write_space}).
 * </ul>
 *
 * <p>So who has sent a message and sleeps until the answer comes is woken when the message is read, finds nothing and sleeps again, unless
 * the answer has come by then. Until it has slept again, it is on no queue, and the answer wakes nobody. Where each end is used in one direction only, as
 * in hackbench, nobody sleeps in a receive at the end that sends, and no wakeup is in vain.
 *
 * <p>Limitations: the true size follows the allocator's power-of-two sizes and one size of buffer head for all kernels. Messages of several
 * senders are not kept apart.
 */
final class Sockets {
    /** Most that an end may be charged, bytes ({@code net.core.wmem_default}). */
    static final int LIMIT = 212_992;

    /** Bytes of a buffer's head, and of what stands behind its data. */
    private static final int HEAD = 256;

    private static final int TRAILER = 320;
    private static final int SMALLEST = 512;

    private static final int CAPACITY = LIMIT / (HEAD + SMALLEST) + 2;

    private final WaitQueues queues;
    private final int firstQueue;
    /** By the end that sends: its messages that have not been received, in slots of a ring, and their charge. */
    private final int[] oldest;

    private final int[] used;
    private final int[] charge;
    private final int[] size;
    private final int[] unread;
    private final int[] lastSenderCpu;
    /** By task: bytes that it still has to receive, or 0. */
    private final int[] left;

    /**
     * @param ends two for each pair
     * @param firstQueue number of the first of {@code ends} queues
     */
    Sockets(int ends, int tasks, WaitQueues queues, int firstQueue) {
        this.queues = queues;
        this.firstQueue = firstQueue;
        oldest = new int[ends];
        used = new int[ends];
        charge = new int[ends];
        size = new int[ends * CAPACITY];
        unread = new int[ends * CAPACITY];
        lastSenderCpu = new int[ends];
        left = new int[tasks];
    }

    /** What a message of so many bytes is charged ({@code skb->truesize}). */
    static int trueSize(int bytes) {
        int data = bytes + TRAILER;
        int allocated = data <= Pipes.PAGE
                ? Math.max(SMALLEST, Integer.highestOneBit(data - 1) << 1)
                : (data + Pipes.PAGE - 1) / Pipes.PAGE * Pipes.PAGE;
        return HEAD + allocated;
    }

    /** The CPU from which a message to this end was sent last. */
    int lastSenderCpu(int end) {
        return lastSenderCpu[Workload.peer(end)];
    }

    /**
     * The task sends a message from this end to its peer.
     *
     * @return false: the limit is reached and the task waits in a queue
     */
    boolean send(int end, int task, int bytes, int cpu) {
        if (charge[end] >= LIMIT) {
            queues.add(firstQueue + end, task);
            return false;
        }
        int slot = end * CAPACITY + (oldest[end] + used[end]) % CAPACITY;
        size[slot] = bytes;
        unread[slot] = bytes;
        used[end]++;
        charge[end] += trueSize(bytes);
        lastSenderCpu[end] = cpu;
        queues.wakeAll(firstQueue + Workload.peer(end), task, true);
        return true;
    }

    /**
     * The task receives at this end, or goes on receiving: as many calls as it takes until all bytes have come.
     *
     * @return false: there is nothing, and the task waits in a queue
     */
    boolean receive(int end, int task, int bytes) {
        int peer = Workload.peer(end);
        if (left[task] == 0) {
            left[task] = bytes;
        }
        while (left[task] > 0 && used[peer] > 0) {
            int slot = peer * CAPACITY + oldest[peer];
            int bytesNow = Math.min(left[task], unread[slot]);
            unread[slot] -= bytesNow;
            left[task] -= bytesNow;
            if (unread[slot] == 0) {
                free(peer, slot, task);
            }
        }
        if (left[task] > 0) {
            queues.add(firstQueue + end, task);
            return false;
        }
        return true;
    }

    /**
     * The task waits until there is something to receive at this end.
     *
     * @return false: there is nothing, and the task waits in a queue
     */
    boolean await(int end, int task) {
        if (used[Workload.peer(end)] > 0) {
            return true;
        }
        queues.add(firstQueue + end, task);
        return false;
    }

    /** A message that {@code sender} sent has been received. */
    private void free(int sender, int slot, int task) {
        oldest[sender] = (oldest[sender] + 1) % CAPACITY;
        used[sender]--;
        charge[sender] -= trueSize(size[slot]);
        if (charge[sender] <= LIMIT / 4) {
            queues.wakeAll(firstQueue + sender, task, true);
        }
    }

    /** Messages from this end that have not been received in full. */
    int messages(int end) {
        return used[end];
    }
}
