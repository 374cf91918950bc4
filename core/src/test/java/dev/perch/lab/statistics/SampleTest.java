package dev.perch.lab.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SampleTest {
    /** Test 1, virgin, of the mail of 18 November 2011, which gives the average 66428.27. */
    @Test
    void averagesAsThePublicationDoes() {
        Sample runs = new Sample(66611.73, 71376.00, 61297.09);
        assertThat(runs.mean()).isCloseTo(66428.27, within(0.01));
        assertThat(runs.min()).isEqualTo(61297.09);
        assertThat(runs.median()).isEqualTo(66611.73);
        assertThat(runs.max()).isEqualTo(71376.00);
    }

    @Test
    void takesTheMiddleOfTwoAsMedian() {
        assertThat(new Sample(4, 1, 3, 100).median()).isEqualTo(3.5);
    }

    @Test
    void relatesTheSpreadToTheMean() {
        assertThat(new Sample(90, 110).spread()).isEqualTo(0.2);
        assertThat(new Sample(0, 0).spread()).isZero();
    }

    @Test
    void needsAValue() {
        assertThatIllegalArgumentException().isThrownBy(Sample::new);
    }
}
