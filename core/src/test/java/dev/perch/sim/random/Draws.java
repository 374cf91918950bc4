package dev.perch.sim.random;

import dev.perch.model.CpuMask;
import java.util.List;
import java.util.Random;

/** Draws for the generator: equal seeds give equal ones on any computer. */
final class Draws {
    private final Random random;

    Draws(long seed) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
    }

    /** From 0 to {@code bound} − 1. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** From {@code low} to {@code high}, both included. */
    int between(int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    /** From {@code low} to {@code high}; as many below as above their geometric mean. */
    long logBetween(long low, long high) {
        double from = Math.log((double) low);
        double to = Math.log((double) high);
        return Math.clamp(Math.round(Math.exp(from + random.nextDouble() * (to - from))), low, high);
    }

    boolean once(int in) {
        return random.nextInt(in) == 0;
    }

    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @SafeVarargs
    final <T> T of(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** A subset of {@code cpus} that is not empty: one, a few, or nearly all. */
    CpuMask subset(CpuMask cpus) {
        int[] all = cpus.toArray();
        int percent = of(0, 30, 60, 90);
        CpuMask chosen = CpuMask.of(all[below(all.length)]);
        for (int cpu : all) {
            if (below(100) < percent) {
                chosen = chosen.or(CpuMask.of(cpu));
            }
        }
        return chosen;
    }

    void shuffle(int[] numbers) {
        for (int i = numbers.length - 1; i > 0; i--) {
            int other = below(i + 1);
            int number = numbers[i];
            numbers[i] = numbers[other];
            numbers[other] = number;
        }
    }
}
