package dev.perch.sim;

/**
 * The connected stream sockets of a run, one direction each: queued messages, what they are charged to their sender, who waits.
 *
 * <p>A message is charged its true size until it has been received in full. A sender waits while the charge has reached the limit; it is
 * let on only when the charge has fallen to a quarter of it. Each message wakes all that wait to receive, and all of these wakeups are
 * sync. Source: {@code unix_stream_sendmsg}, {@code sock_alloc_send_pskb}, {@code unix_write_space}; spec scheduler.md 9.4.
 *
 * <p>Limitations: the true size follows the allocator's power-of-two sizes and one size of buffer head for all kernels.
 */
final class Sockets {
    /** Most that a sender may be charged, bytes ({@code net.core.wmem_default}). */
    static final int LIMIT = 212_992;

    /** Bytes of a buffer's head, and of what stands behind its data. */
    private static final int HEAD = 256;

    private static final int TRAILER = 320;
    private static final int SMALLEST = 512;

    private static final int RECEIVERS = 0;
    private static final int SENDERS = 1;

    /** Queues that a socket needs. */
    static final int QUEUES = 2;

    private static final int CAPACITY = LIMIT / (HEAD + SMALLEST) + 2;

    private final WaitQueues queues;
    private final int firstQueue;
    private final int[] oldest;
    private final int[] used;
    private final int[] charge;
    private final int[] size;
    private final int[] unread;
    private final int[] lastSenderCpu;
    /** By task: bytes that it still has to receive, or 0. */
    private final int[] left;

    Sockets(int sockets, int tasks, WaitQueues queues, int firstQueue) {
        this.queues = queues;
        this.firstQueue = firstQueue;
        oldest = new int[sockets];
        used = new int[sockets];
        charge = new int[sockets];
        size = new int[sockets * CAPACITY];
        unread = new int[sockets * CAPACITY];
        lastSenderCpu = new int[sockets];
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

    /** The CPU from which a socket was sent to last. */
    int lastSenderCpu(int socket) {
        return lastSenderCpu[socket];
    }

    /**
     * The task sends a message.
     *
     * @return false: the limit is reached and the task waits in a queue
     */
    boolean send(int socket, int task, int bytes, int cpu) {
        if (charge[socket] >= LIMIT) {
            queues.add(firstQueue + socket * QUEUES + SENDERS, task);
            return false;
        }
        int slot = socket * CAPACITY + (oldest[socket] + used[socket]) % CAPACITY;
        size[slot] = bytes;
        unread[slot] = bytes;
        used[socket]++;
        charge[socket] += trueSize(bytes);
        lastSenderCpu[socket] = cpu;
        queues.wakeAll(firstQueue + socket * QUEUES + RECEIVERS, task, true);
        return true;
    }

    /**
     * The task receives, or goes on receiving: as many calls as it takes until all bytes have come.
     *
     * @return false: there is nothing, and the task waits in a queue
     */
    boolean receive(int socket, int task, int bytes) {
        if (left[task] == 0) {
            left[task] = bytes;
        }
        while (left[task] > 0 && used[socket] > 0) {
            int slot = socket * CAPACITY + oldest[socket];
            int bytesNow = Math.min(left[task], unread[slot]);
            unread[slot] -= bytesNow;
            left[task] -= bytesNow;
            if (unread[slot] == 0) {
                free(socket, slot, task);
            }
        }
        if (left[task] > 0) {
            queues.add(firstQueue + socket * QUEUES + RECEIVERS, task);
            return false;
        }
        return true;
    }

    private void free(int socket, int slot, int task) {
        oldest[socket] = (oldest[socket] + 1) % CAPACITY;
        used[socket]--;
        charge[socket] -= trueSize(size[slot]);
        if (charge[socket] <= LIMIT / 4) {
            queues.wakeAll(firstQueue + socket * QUEUES + SENDERS, task, true);
        }
    }

    /** Messages that have not been received in full. */
    int messages(int socket) {
        return used[socket];
    }
}
