package dev.perch.kernel.fair;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expected values: scheduler.md 11, B1 to B3. */
class VirtualAverageTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 9_000_000, 12_000_000})
    void theAverageOfEqualTasksDoesNotDependOnTheReference(long reference) {
        VirtualAverage average = new VirtualAverage(reference);
        average.add(10_000_000, 1024);
        average.add(12_000_000, 1024);
        average.add(9_000_000, 1024);

        assertThat(average.value()).isEqualTo(10_333_333);
        assertThat(average.isEligible(10_000_000)).isTrue();
        assertThat(average.isEligible(12_000_000)).isFalse();
        assertThat(average.isEligible(9_000_000)).isTrue();
    }

    @Test
    void heavyTasksPullTheAverage() {
        VirtualAverage average = new VirtualAverage(9_000_000);
        average.add(10_000_000, 1024);
        average.add(12_000_000, 1024);
        average.add(9_000_000, 1991);

        assertThat(average.load()).isEqualTo(4039);
        assertThat(average.value()).isEqualTo(10_014_112);
        assertThat(average.isEligible(10_000_000)).isTrue();
        assertThat(average.isEligible(12_000_000)).isFalse();
    }

    @Test
    void theAverageIsRoundedDownAndEligibilityIsExact() {
        VirtualAverage three = new VirtualAverage(0);
        three.add(-3, 1024);
        three.add(0, 1024);
        three.add(1, 1024);
        VirtualAverage two = new VirtualAverage(0);
        two.add(-1, 1024);
        two.add(0, 1024);

        assertThat(three.value()).isEqualTo(-1);
        assertThat(three.isEligible(-3)).isTrue();
        assertThat(three.isEligible(0)).isFalse();
        assertThat(two.value()).isEqualTo(-1);
    }

    @Test
    void movingTheReferenceChangesNothing() {
        VirtualAverage average = new VirtualAverage(0);
        average.add(10_000_000, 1024);
        average.add(12_000_000, 335);
        long before = average.value();
        average.moveReference(11_000_000);

        assertThat(average.value()).isEqualTo(before);
        average.remove(10_000_000, 1024);
        assertThat(average.value()).isEqualTo(12_000_000);
        average.remove(12_000_000, 335);
        assertThat(average.value()).isEqualTo(11_000_000);
    }
}
