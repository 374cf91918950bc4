package dev.perch.sim;

import java.util.Arrays;

/**
 * The pipes of a run ({@code fs/pipe.c}): 16 buffers of one page each, and who waits for them.
 *
 * <p>What is left over a whole number of pages of a write is appended to the last buffer if it fits there as a whole; everything else
 * begins a new buffer. A buffer is free again when all of it has been read. Who is woken changed with 5.6 (rule kind {@code pipe-wakeup},
 * spec scheduler.md 9.4):
 *
 * <ul>
 *   <li>3.2: one queue for all; each write and each read that frees a buffer wakes everybody on it;
 *   <li>5.6: readers and writers wait apart; a write to an empty pipe wakes one reader (and all pollers), a read from a full one wakes
 *       one writer; a reader that had to wait and leaves something behind wakes the next reader, a writer likewise.
 * </ul>
 *
 * <p>All of these wakeups are sync. The mutex is had in the order of asking. Limitations: a waiter never gives up spinning to sleep; no packet
 * mode, no resizing.
 */
final class Pipes {
    /** Buffers of a pipe. */
    static final int BUFFERS = 16;

    /** Bytes of a buffer. */
    static final int PAGE = 4096;

    private static final int UNTOUCHED = -1;

    private static final int READERS = 0;
    private static final int WRITERS = 1;
    private static final int POLLERS = 2;

    /** Queues that a pipe needs. */
    static final int QUEUES = 3;

    private final WaitQueues queues;
    private final int firstQueue;
    private final boolean onTransition;
    /** By pipe: index of the oldest buffer, and how many are used. */
    private final int[] oldest;

    private final int[] used;
    /** By pipe × {@link #BUFFERS}: unread bytes, and where the next byte would go. */
    private final int[] unread;

    private final int[] end;
    private final int[] lastWriterCpu;

    /** By pipe: the CPU that handled it last, or {@link #UNTOUCHED}. */
    private final int[] lastCpu;

    /** By pipe: when its mutex is free. */
    private final long[] freeAt;

    /** By task: bytes that the running call still has to move, or −1; the other two as the kernel's variables of the same meaning. */
    private final int[] left;

    private final boolean[] wasAtLimit;
    private final boolean[] waited;

    /** {@code firstQueue}: number of the first of {@link #QUEUES} × {@code pipes} queues. */
    Pipes(int pipes, int tasks, WaitQueues queues, int firstQueue, String rules) {
        this.queues = queues;
        this.firstQueue = firstQueue;
        onTransition = !rules.equals("3.2");
        oldest = new int[pipes];
        used = new int[pipes];
        unread = new int[pipes * BUFFERS];
        end = new int[pipes * BUFFERS];
        lastWriterCpu = new int[pipes];
        lastCpu = new int[pipes];
        freeAt = new long[pipes];
        left = new int[tasks];
        wasAtLimit = new boolean[tasks];
        waited = new boolean[tasks];
        Arrays.fill(left, -1);
        Arrays.fill(lastCpu, UNTOUCHED);
    }

    /** The CPU from which the pipe was written last. */
    int lastWriterCpu(int pipe) {
        return lastWriterCpu[pipe];
    }

    /**
     * The CPU that had the pipe last, from which its own lines come: lock and counters, which readers and writers write alike.
     *
     * @return {@code cpu} itself if no other has had them since
     */
    int lastCpu(int pipe, int cpu) {
        return lastCpu[pipe] == UNTOUCHED ? cpu : lastCpu[pipe];
    }

    /**
     * A call on {@code cpu} takes the pipe's mutex, when those before it have given it back, and keeps it for {@code holdNs}.
     *
     * @return how long it waits, ns: spinning, since whoever has the mutex is running
     */
    long lock(int pipe, int cpu, long now, long holdNs) {
        long wait = Math.max(0, freeAt[pipe] - now);
        freeAt[pipe] = now + wait + holdNs;
        lastCpu[pipe] = cpu;
        return wait;
    }

    private int queue(int pipe, int kind) {
        return firstQueue + pipe * QUEUES + (onTransition ? kind : READERS);
    }

    /**
     * The task writes, or goes on writing.
     *
     * @return false: the pipe is full and the task waits in its queue
     */
    boolean write(int pipe, int task, int bytes, int cpu) {
        boolean wrote = false;
        if (left[task] < 0) {
            left[task] = bytes;
            waited[task] = false;
            wasAtLimit[task] = used[pipe] == 0;
            append(pipe, task);
            wrote = left[task] < bytes;
        } else {
            waited[task] = true;
            wasAtLimit[task] = used[pipe] == 0;
        }
        while (left[task] > 0 && used[pipe] < BUFFERS) {
            int buffer = pipe * BUFFERS + (oldest[pipe] + used[pipe]) % BUFFERS;
            int bytesNow = Math.min(left[task], PAGE);
            unread[buffer] = bytesNow;
            end[buffer] = bytesNow;
            used[pipe]++;
            left[task] -= bytesNow;
            wrote = true;
        }
        if (wrote) {
            lastWriterCpu[pipe] = cpu;
            wakeReaders(pipe, task);
        }
        if (left[task] > 0) {
            queues.add(queue(pipe, WRITERS), task);
            return false;
        }
        if (onTransition && waited[task] && used[pipe] < BUFFERS) {
            queues.wakeOne(queue(pipe, WRITERS), task, true);
        }
        left[task] = -1;
        return true;
    }

    private void append(int pipe, int task) {
        int odd = left[task] % PAGE;
        if (used[pipe] > 0 && odd > 0) {
            int buffer = pipe * BUFFERS + (oldest[pipe] + used[pipe] - 1) % BUFFERS;
            if (end[buffer] + odd <= PAGE) {
                unread[buffer] += odd;
                end[buffer] += odd;
                left[task] -= odd;
            }
        }
    }

    private void wakeReaders(int pipe, int task) {
        if (!onTransition) {
            queues.wakeAll(queue(pipe, READERS), task, true);
        } else if (wasAtLimit[task]) {
            queues.wakeAll(queue(pipe, POLLERS), task, true);
            queues.wakeOne(queue(pipe, READERS), task, true);
        }
    }

    /**
     * The task reads, or goes on reading: as many calls as it takes until all bytes have come.
     *
     * @return false: the pipe is empty and the task waits in its queue
     */
    boolean read(int pipe, int task, int bytes) {
        if (left[task] < 0) {
            left[task] = bytes;
            waited[task] = false;
        } else {
            waited[task] = true;
        }
        wasAtLimit[task] = used[pipe] == BUFFERS;
        boolean freed = false;
        while (left[task] > 0 && used[pipe] > 0) {
            int buffer = pipe * BUFFERS + oldest[pipe];
            int bytesNow = Math.min(left[task], unread[buffer]);
            unread[buffer] -= bytesNow;
            left[task] -= bytesNow;
            if (unread[buffer] == 0) {
                oldest[pipe] = (oldest[pipe] + 1) % BUFFERS;
                used[pipe]--;
                freed = true;
            }
        }
        if (!onTransition) {
            if (freed) {
                queues.wakeAll(queue(pipe, WRITERS), task, true);
            }
        } else if (wasAtLimit[task] && freed) {
            queues.wakeOne(queue(pipe, WRITERS), task, true);
        }
        if (left[task] > 0) {
            queues.add(queue(pipe, READERS), task);
            return false;
        }
        if (onTransition && waited[task] && used[pipe] > 0) {
            queues.wakeOne(queue(pipe, READERS), task, true);
        }
        left[task] = -1;
        return true;
    }

    /**
     * The task waits until there is something to read.
     *
     * @return false: there is nothing, and the task waits in a queue
     */
    boolean poll(int pipe, int task) {
        if (used[pipe] > 0) {
            return true;
        }
        queues.add(queue(pipe, POLLERS), task);
        return false;
    }

    /** Bytes in a pipe. */
    int bytes(int pipe) {
        int sum = 0;
        for (int i = 0; i < used[pipe]; i++) {
            sum += unread[pipe * BUFFERS + (oldest[pipe] + i) % BUFFERS];
        }
        return sum;
    }
}
