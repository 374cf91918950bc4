package dev.perch.report.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Round numbers of axes; the values of the linear ones are those that D3 documents and tests for the same arguments. */
class TicksTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1, 10, 0.1", "0, 1, 8, 0.1", "0, 1, 7, 0.2", "0, 1, 4, 0.2", "0, 1, 3, 0.5", "0, 1, 2, 0.5", "0, 1, 1, 1",
        "0, 10, 10, 1", "0, 10, 7, 2", "0, 10, 3, 5", "0, 10, 1, 10", "-10, 10, 10, 2", "1, 9, 5, 2", "1, 9, 20, 0.5"
    })
    void stepsAreAsInD3(double low, double high, int count, double step) {
        assertThat(Ticks.step(low, high, count)).isEqualTo(step);
    }

    @Test
    void ticksAreAsInD3() {
        assertThat(Ticks.linear(1, 9, 5)).containsExactly(2.0, 4.0, 6.0, 8.0);
        assertThat(Ticks.linear(1, 9, 20)).hasSize(17).startsWith(1.0, 1.5, 2.0).endsWith(8.5, 9.0);
        assertThat(Ticks.linear(-100, 100, 10))
                .hasSize(11)
                .startsWith(-100.0, -80.0)
                .endsWith(100.0);
        assertThat(Ticks.linear(0.1, 0.8, 5)).containsExactly(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8);
    }

    @Test
    void logarithmicTicksArePowersOfTenWhereThereAreEnough() {
        assertThat(Ticks.logarithmic(100, 1e6)).containsExactly(100.0, 1e3, 1e4, 1e5, 1e6);
        assertThat(Ticks.logarithmic(700, 30_000)).containsExactly(1e3, 2e3, 5e3, 1e4, 2e4);
    }

    @Test
    void niceScalesBeginAndEndAtATick() {
        Scale.Linear scale = Scale.Linear.nice(0.201, 0.997, 0, 80, 10);
        assertThat(scale.low()).isEqualTo(0.2);
        assertThat(scale.high()).isEqualTo(1.0);
        assertThat(scale.at(0.6)).isCloseTo(40, org.assertj.core.data.Offset.offset(1e-9));
        assertThat(scale.decimals()).isEqualTo(1);
    }

    @Test
    void aSingleValueHasAScaleToo() {
        Scale.Linear scale = Scale.Linear.nice(100, 100, 0, 100, 5);
        assertThat(scale.low()).isLessThan(100);
        assertThat(scale.high()).isGreaterThan(100);
        assertThat(Scale.Linear.nice(0, 0, 0, 100, 5).ticks()).contains(0.0);
    }

    @Test
    void equalRatiosAreEqualLengthsOnALogarithmicScale() {
        Scale.Logarithmic scale = new Scale.Logarithmic(1, 1000, 0, 300);
        assertThat(List.of(scale.at(1), scale.at(10), scale.at(100), scale.at(1000)))
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : Double.compare(a, b))
                .containsExactly(0.0, 100.0, 200.0, 300.0);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "20, 0", "0.5, 1", "0.2, 1", "0.05, 2", "0.001, 3"})
    void decimalsAreThoseThatTheStepNeeds(double step, int decimals) {
        assertThat(Ticks.decimals(step)).isEqualTo(decimals);
    }
}
