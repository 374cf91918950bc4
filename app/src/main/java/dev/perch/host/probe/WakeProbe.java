package dev.perch.host.probe;

import dev.perch.host.linux.Futexes;
import dev.perch.host.linux.ThisThread;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Wakeups of a thread that sleeps in the futex system call on another CPU, which is idle meanwhile, or on the waker's own.
 *
 * <p>Measured are single wakeups: the waker's call, and the time from before the call until the sleeper is back in user mode and has read the clock. A
 * wakeup whose sleeper was not asleep yet does not count; futex(2) says how many it woke.
 *
 * <p>Limitation: that nobody else runs on the sleeper's CPU is hoped, not known; a wakeup that met somebody is an outlier that the median ignores.
 */
final class WakeProbe {
    private static final int WORD = 0;
    private static final int ASLEEP_FROM = 1;
    private static final int ROUND = 2;
    private static final int WOKEN_AT = 3;
    private static final int REPLY = 4;
    private static final int WORDS = 5;
    private static final int STOP = -1;

    private static final int WARM_ROUNDS = 3_000;
    private static final long WARM_UP_NS = 150_000_000;
    private static final long WARM_IDLE_NS = 5_000;
    private static final int MOST_WAKEUPS = 1_000;
    private static final int FEWEST_WAKEUPS = 15;
    private static final long LONGEST_NS = 350_000_000;
    private static final int TRIES_FOR_ONE = 8;
    private static final int YIELDS = 2;

    private final Blocks blocks;
    private final SharedWords words = new SharedWords(WORDS);
    private final MemorySegment word = words.futex(WORD);
    private final MemorySegment reply = words.futex(REPLY);
    private final double[] calls = new double[MOST_WAKEUPS];
    private final double[] latencies = new double[MOST_WAKEUPS];
    private int measured;
    private int round;

    /** What single wakeups took, ns. */
    record Wakeups(double[] calls, double[] latencies) {}

    WakeProbe(Blocks blocks) {
        this.blocks = blocks;
    }

    /** Wakeups from the calling thread's CPU of a sleeper on another, which has slept for {@code idleNs} or little less. */
    Wakeups across(int other, long idleNs) {
        try (Partner sleeper = new Partner(blocks, other, () -> sleep(false), this::stop)) {
            repeat(WARM_ROUNDS, WARM_UP_NS, () -> wake(sleeper, WARM_IDLE_NS));
            repeat(MOST_WAKEUPS * TRIES_FOR_ONE, LONGEST_NS, () -> wake(sleeper, idleNs));
            return wakeups();
        }
    }

    /** Wakeups of a sleeper on the calling thread's own CPU; the waker falls asleep right after the call. */
    Wakeups onOneCpu(int cpu) {
        try (Partner sleeper = new Partner(blocks, cpu, () -> sleep(true), this::stop)) {
            repeat(WARM_ROUNDS, WARM_UP_NS, () -> wakeAndSleep(sleeper));
            repeat(MOST_WAKEUPS * TRIES_FOR_ONE, LONGEST_NS, () -> wakeAndSleep(sleeper));
            return wakeups();
        }
    }

    /** Begins anew with what was measured; ends after enough wakeups, or when the time is over and there are some. */
    private void repeat(int tries, long longestNs, Runnable wakeup) {
        measured = 0;
        long end = System.nanoTime() + longestNs;
        for (int i = 0; i < tries && measured < MOST_WAKEUPS; i++) {
            blocks.check();
            long late = System.nanoTime() - end;
            if (late > longestNs || late > 0 && measured >= FEWEST_WAKEUPS) {
                break;
            }
            wakeup.run();
        }
    }

    private Wakeups wakeups() {
        if (measured == 0) {
            throw new IllegalStateException("of all wakeups none found its thread asleep");
        }
        return new Wakeups(Arrays.copyOf(calls, measured), Arrays.copyOf(latencies, measured));
    }

    private void wake(Partner sleeper, long idleNs) {
        words.await(ROUND, round, sleeper);
        long due = words.getLong(ASLEEP_FROM) + idleNs;
        int spins = 1;
        while (System.nanoTime() < due) {
            Thread.onSpinWait();
            sleeper.checkSometimes(spins++);
        }
        words.set(WORD, ++round);
        long start = System.nanoTime();
        int woken = Futexes.wake(word, 1);
        long end = System.nanoTime();
        words.await(ROUND, round, sleeper);
        count(woken, start, end);
    }

    private void wakeAndSleep(Partner sleeper) {
        while (words.get(ROUND) != round) {
            sleeper.check();
            ThisThread.yieldCpu();
        }
        for (int i = 0; i < YIELDS; i++) {
            ThisThread.yieldCpu();
        }
        words.set(WORD, ++round);
        long start = System.nanoTime();
        int woken = Futexes.wake(word, 1);
        long end = System.nanoTime();
        while (words.get(REPLY) != round) {
            Futexes.await(reply, round - 1);
        }
        count(woken, start, end);
    }

    private void count(int woken, long start, long end) {
        if (woken == 1) {
            calls[measured] = end - start - blocks.clockNs();
            latencies[measured] = words.getLong(WOKEN_AT) - start - blocks.clockNs();
            measured++;
        }
    }

    private void sleep(boolean replies) {
        int seen = 0;
        while (seen != STOP) {
            seen = sleepOnce(seen, replies);
        }
    }

    private int sleepOnce(int seen, boolean replies) {
        words.setLong(ASLEEP_FROM, System.nanoTime());
        words.set(ROUND, seen);
        while (words.get(WORD) == seen) {
            Futexes.await(word, seen);
        }
        words.setLong(WOKEN_AT, System.nanoTime());
        int next = words.get(WORD);
        if (replies) {
            words.set(REPLY, next);
            Futexes.wake(reply, 1);
        }
        return next;
    }

    private void stop() {
        words.set(WORD, STOP);
        Futexes.wake(word, 1);
    }
}
