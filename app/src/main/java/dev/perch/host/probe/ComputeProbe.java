package dev.perch.host.probe;

import java.util.stream.DoubleStream;

/**
 * Loops that stay in user mode: one that counts the clock's cycles, and one that fills a core, alone and beside another.
 *
 * <p>The first is a chain of exclusive-or and addition on registers, each of which needs the result before it. All processors that Linux runs on with
 * x86-64 or aarch64 take one cycle for either; that they overlap nothing of the chain and that the compiler does not shorten it is assumed. Values
 * that only the caller knows and two operations that do not merge are to see to that.
 *
 * <p>The second has four independent chains of multiplication and table look-ups in the nearest cache, so that two of them contend for a core that they share.
 */
final class ComputeProbe {
    /** Of the first loop. */
    private static final int PAIRS = 16;

    private static final int TURNS = 4_096;
    private static final int RUNNING = 0;
    private static final int STOP = 1;
    private static final int TABLE = 1_024;

    private final Blocks blocks;
    private final SharedWords words = new SharedWords(2);
    private long sink = 0x9e37_79b9_7f4a_7c15L;

    ComputeProbe(Blocks blocks) {
        this.blocks = blocks;
    }

    /** kHz of the calling thread's CPU. */
    double[] clockKhz() {
        double[] ns = blocks.values(TURNS * 2 * PAIRS, () -> {
            long start = System.nanoTime();
            sink = chain(sink, sink | 1, sink >>> 7);
            return System.nanoTime() - start;
        });
        return DoubleStream.of(ns).map(cycle -> 1e6 / cycle).toArray();
    }

    private static long chain(long begin, long mask, long step) {
        long x = begin;
        for (int turn = 0; turn < TURNS; turn++) {
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
            x = (x ^ mask) + step;
        }
        return x;
    }

    /** Speed of the calling thread while another CPU does the same, over its speed alone. */
    Reading beside(int other) {
        long[] table = table();
        double[] before = blocks.values(TURNS, () -> fill(table));
        double[] beside;
        try (Partner partner = new Partner(blocks, other, this::fillUntilStopped, () -> words.set(STOP, 1))) {
            words.await(RUNNING, 1, partner);
            beside = blocks.values(TURNS, () -> fill(table));
        }
        double[] after = blocks.values(TURNS, () -> fill(table));
        double alone = Reading.of(DoubleStream.concat(DoubleStream.of(before), DoubleStream.of(after))
                        .toArray())
                .median();
        return Reading.of(beside, ns -> alone / ns);
    }

    private void fillUntilStopped() {
        long[] table = table();
        while (words.get(STOP) == 0) {
            fill(table);
            words.set(RUNNING, 1);
        }
    }

    private static long[] table() {
        long[] table = new long[TABLE];
        for (int i = 0; i < TABLE; i++) {
            table[i] = i * 0x9e37_79b9_7f4a_7c15L;
        }
        return table;
    }

    private static long fill(long[] table) {
        long start = System.nanoTime();
        long a = table[1];
        long b = table[2];
        long c = table[3];
        long d = table[4];
        for (int turn = 0; turn < TURNS; turn++) {
            a = a * 0x5851_f42d_4c95_7f2dL + table[(int) a & TABLE - 1];
            b = b * 0x5851_f42d_4c95_7f2dL + table[(int) b & TABLE - 1];
            c = c * 0x5851_f42d_4c95_7f2dL + table[(int) c & TABLE - 1];
            d = d * 0x5851_f42d_4c95_7f2dL + table[(int) d & TABLE - 1];
        }
        table[0] = a ^ b ^ c ^ d;
        return System.nanoTime() - start;
    }
}
