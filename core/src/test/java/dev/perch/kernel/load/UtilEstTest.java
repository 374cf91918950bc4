package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: scheduler.md 11, C8, and the rules of 3.7. */
class UtilEstTest {
    private final UtilEst old = new UtilEst(LoadTracking.V5_14, true, 2, 1);
    private final UtilEst recent = new UtilEst(LoadTracking.V6_12, true, 2, 1);

    @ParameterizedTest
    @CsvSource({
        // moving average, before, now: what is kept
        "400, 380, 200, 350, 350",
        "200, 180, 300, 300, 300",
        "200, 195, 195, 200, 200",
        "200, 150, 195, 200, 200"
    })
    void aSleepMovesTheAverage(long average, long before, long util, long newAverage, long estimate) {
        old.set(0, average, before);
        old.slept(0, util, util, 1024);

        assertThat(old.estimate(0)).isEqualTo(estimate).isEqualTo(Math.max(newAverage, util));
    }

    @Test
    void whatFollowsNothingStoredIsNotSkipped() {
        old.set(0, 200, 195);
        old.slept(0, 195, 195, 1024);
        old.slept(0, 300, 300, 1024);
        assertThat(old.estimate(0)).isEqualTo(300);
    }

    @Test
    void aSecondSleepWithoutAPeriodInBetweenSaysNothing() {
        old.set(0, 400, 380);
        old.slept(0, 200, 200, 1024);
        old.slept(0, 100, 100, 1024);
        assertThat(old.estimate(0)).isEqualTo(350);

        old.changed(0);
        old.slept(0, 150, 150, 1024);
        assertThat(old.estimate(0)).isEqualTo(300);
    }

    @Test
    void withoutFastUpTheAverageRisesByQuarters() {
        UtilEst slow = new UtilEst(LoadTracking.V4_17, false, 1, 1);
        slow.set(0, 200, 180);
        slow.slept(0, 300, 300, 1024);
        slow.changed(0);
        slow.slept(0, 0, 0, 1024);

        assertThat(slow.estimate(0)).isEqualTo((4 * 225 - 225) >> 2);
    }

    @Test
    void whatFilledItsCpuIsNotBelieved() {
        old.set(0, 900, 880);
        old.slept(0, 600, 600, 512);
        assertThat(old.estimate(0)).isEqualTo(900);
        recent.set(0, 900, 900);
        recent.slept(0, 600, 600, 512);
        assertThat(recent.estimate(0)).isEqualTo(900);
    }

    @Test
    void oneValueFallsByQuartersAndRisesAtOnce() {
        recent.set(0, 400, 400);
        recent.slept(0, 200, 200, 1024);
        assertThat(recent.estimate(0)).isEqualTo(350);

        recent.changed(0);
        recent.slept(0, 345, 345, 1024);
        assertThat(recent.estimate(0)).isEqualTo(350);

        recent.changed(0);
        recent.slept(0, 500, 500, 1024);
        assertThat(recent.estimate(0)).isEqualTo(500);
    }

    @Test
    void contentionKeepsTheEstimateFrom612On() {
        recent.set(0, 400, 400);
        recent.slept(0, 200, 211, 1024);
        assertThat(recent.estimate(0)).isEqualTo(400);

        UtilEst of67 = new UtilEst(LoadTracking.V6_7, true, 1, 1);
        of67.set(0, 400, 400);
        of67.slept(0, 200, 211, 1024);
        assertThat(of67.estimate(0)).isEqualTo(350);
    }

    @Test
    void aCpuHoldsTheEstimatesOfItsQueuedTasks() {
        old.set(0, 100, 120);
        old.set(1, 50, 0);
        old.enqueue(0, 0);
        old.enqueue(0, 1);
        assertThat(old.ofQueue(0)).isEqualTo(170);

        assertThat(UtilEst.cpuUtil(90, old.ofQueue(0), 1024)).isEqualTo(170);
        assertThat(UtilEst.cpuUtil(300, old.ofQueue(0), 256)).isEqualTo(256);
        assertThat(UtilEst.boostedCpuUtil(90, 700, old.ofQueue(0), 1024)).isEqualTo(700);

        old.dequeue(0, 0);
        assertThat(old.ofQueue(0)).isEqualTo(50);
        old.begin(1);
        old.dequeue(0, 1);
        assertThat(old.ofQueue(0)).isEqualTo(50);
    }

    @Test
    void kernelsBefore417EstimateNothing() {
        assertThatIllegalArgumentException().isThrownBy(() -> new UtilEst(LoadTracking.V4_12, true, 1, 1));
    }
}
