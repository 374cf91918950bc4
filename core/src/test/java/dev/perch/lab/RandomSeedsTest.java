package dev.perch.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RandomSeedsTest {
    /** The JDK's SplittableRandom is another implementation of the same generator. */
    @Test
    void chainsTheGeneratorOfTheJdk() {
        long first = new SplittableRandom(1).nextLong();
        long second = new SplittableRandom(first + 4).nextLong();
        long third = new SplittableRandom(second + 9).nextLong();
        assertThat(RandomSeeds.of(1, 4, 9)).isEqualTo(third);
    }

    @Test
    void differsForEveryPlace() {
        Set<Long> seeds = new HashSet<>();
        for (long seed = 0; seed < 10; seed++) {
            for (int row = 0; row < 100; row++) {
                for (int repeat = 0; repeat < 10; repeat++) {
                    seeds.add(RandomSeeds.of(seed, row, repeat));
                }
            }
        }
        assertThat(seeds).hasSize(10_000);
    }
}
