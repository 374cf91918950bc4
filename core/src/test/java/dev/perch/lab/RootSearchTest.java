package dev.perch.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RootSearchTest {
    /** A rate of 1e9 / (2 * (x + 1700)) transactions a second is 129394.55 at x = 2164.1…: 2164 is nearest. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 500, 2163, 2164, 2165, 5000, 900_000})
    void findsTheNearestWholeNumberOfAFallingRateFromAnyStart(int start) {
        AtomicInteger evaluations = new AtomicInteger();
        RootSearch search = new RootSearch(
                x -> {
                    evaluations.incrementAndGet();
                    return 1e9 / (2 * (x + 1700.0)) - 129394.55;
                },
                1_000_000);
        assertThat(search.find(start, 0).x()).isEqualTo(2164);
        assertThat(evaluations.get()).isLessThan(40);
    }

    @Test
    void findsTheRootOfARisingFunction() {
        assertThat(new RootSearch(x -> 3.0 * x - 999, 1_000_000).find(10, 0).x())
                .isEqualTo(333);
    }

    @Test
    void settlesNextToAJump() {
        IntToDoubleFunction jump = x -> x < 700 ? 40 : -60;
        RootSearch.Point point = new RootSearch(jump, 1_000_000).find(10, 0);
        assertThat(point.y()).isEqualTo(40);
    }

    @Test
    void returnsTheBorderWhenNoArgumentReachesZero() {
        assertThat(new RootSearch(x -> x + 5.0, 1000).find(300, 0)).isEqualTo(new RootSearch.Point(0, 5));
        assertThat(new RootSearch(x -> x - 2000.0, 1000).find(300, 0)).isEqualTo(new RootSearch.Point(1000, -1000));
    }

    @Test
    void acceptsTheStartAtOnceWhenTheKnownSlopeSaysNothingIsNearer() {
        AtomicInteger evaluations = new AtomicInteger();
        RootSearch search = new RootSearch(
                x -> {
                    evaluations.incrementAndGet();
                    return 30.0 * (x - 100) + 14;
                },
                1000);
        assertThat(search.find(100, 30).x()).isEqualTo(100);
        assertThat(evaluations.get()).isEqualTo(1);
    }
}
