package dev.perch.host.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ReadingTest {
    @Test
    void quartilesLieBetweenTheValuesAsInNumpy() {
        // sorted 1 2 4 8: positions 0.75, 1.5 and 2.25 of 0..3
        Reading reading = Reading.of(new double[] {8, 1, 4, 2});
        assertThat(reading).isEqualTo(new Reading(3, 1.75, 5, 4));
    }

    @Test
    void oneValueIsAllOfThem() {
        assertThat(Reading.of(new double[] {7})).isEqualTo(new Reading(7, 7, 7, 1));
    }

    @Test
    void aFunctionIsAppliedToEachValue() {
        assertThat(Reading.of(new double[] {1, 2, 4}, value -> 8 / value)).isEqualTo(new Reading(4, 3, 6, 3));
    }

    @Test
    void theOrderOfTheValuesStaysAsItWas() {
        double[] values = {3, 1, 2};
        Reading.of(values);
        assertThat(values).containsExactly(3, 1, 2);
    }

    @Test
    void nothingMeasuredIsAMistake() {
        assertThatThrownBy(() -> Reading.of(new double[0])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void numbersAreAsLongAsTheyNeedToBe() {
        assertThat(new Reading(1136.6, 1119.7, 1180.2, 30).text()).isEqualTo("1137 ns (1120-1180)");
        assertThat(new Reading(37.26, 9.876, 99.96, 30).text()).isEqualTo("37.3 ns (9.88-100.0)");
        assertThat(new Reading(0.987, 0.98, 1, 30).text("of its speed")).isEqualTo("0.99 of its speed (0.98-1.00)");
        assertThat(new Reading(-0.5, -20, 1, 3).text()).isEqualTo("-0.50 ns (-20.0-1.00)");
    }
}
