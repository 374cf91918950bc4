package dev.perch.kernel.load;

import java.util.Arrays;

/**
 * How often tasks change whom they wake, from which 1:n wakers are known ({@code wakee_flips}, {@code last_wakee}, {@code record_wakee}
 * of Linux 3.12 and later; spec: placement.md 4.2).
 *
 * <p>Told of every wakeup before its CPU is chosen. Times are ns. Limitation: the kernel counts the second in ticks.
 */
public final class WakeFlips {
    private static final long DECAY_AFTER = 1_000_000_000;
    private static final int NOBODY = -1;
    private static final int SOMEBODY = -2;

    private final boolean halved;
    private int[] flips;
    private int[] lastWakee;
    private long[] decayed;

    /**
     * @param rule of an era that counts flips
     */
    public WakeFlips(LoadTracking.Flips rule, int tasks) {
        halved = switch (rule) {
            case HALVED -> true;
            case ZEROED -> false;
            case UNCOUNTED -> throw new IllegalArgumentException("this era counts no wake flips");
        };
        flips = new int[tasks];
        lastWakee = new int[tasks];
        decayed = new long[tasks];
        Arrays.fill(lastWakee, NOBODY);
    }

    /** Makes room for at least {@code tasks}; allocates. */
    public void ensure(int tasks) {
        int had = flips.length;
        if (tasks > had) {
            flips = Arrays.copyOf(flips, tasks);
            lastWakee = Arrays.copyOf(lastWakee, tasks);
            decayed = Arrays.copyOf(decayed, tasks);
            Arrays.fill(lastWakee, had, tasks, NOBODY);
        }
    }

    /** A new task, which has woken nobody. */
    public void begin(int task, long now) {
        flips[task] = 0;
        lastWakee[task] = NOBODY;
        decayed[task] = now;
    }

    /** A task that has a history, of which nothing is known: no flips, and whomever it wakes next it is taken to have woken before. */
    public void beginUnknown(int task) {
        flips[task] = 0;
        lastWakee[task] = SOMEBODY;
        decayed[task] = 0;
    }

    /** A new task as the kernel makes it: a copy of {@code parent}, whose history of wakees it takes over. */
    public void inherit(int parent, int child) {
        flips[child] = flips[parent];
        lastWakee[child] = lastWakee[parent];
        decayed[child] = decayed[parent];
    }

    /** {@code waker}, the current task of the CPU that wakes, wakes {@code wakee}; once for however long a gap, its flips decay. */
    public void record(int waker, int wakee, long now) {
        if (now > decayed[waker] + DECAY_AFTER) {
            flips[waker] = halved ? flips[waker] >> 1 : 0;
            decayed[waker] = now;
        }
        int last = lastWakee[waker];
        if (last != wakee) {
            lastWakee[waker] = wakee;
            flips[waker] += last == SOMEBODY ? 0 : 1;
        }
    }

    /** The flips of a task are found to have decayed by now. */
    public void halve(int task, long now) {
        flips[task] = halved ? flips[task] >> 1 : 0;
        decayed[task] = now;
    }

    /** How often the task has changed whom it wakes, recently. */
    public int of(int task) {
        return flips[task];
    }
}
