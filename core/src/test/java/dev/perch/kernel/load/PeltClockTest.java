package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** The rules of scheduler.md 3.4 for {@code clock_pelt}. */
class PeltClockTest {
    private final PeltClock clock = new PeltClock(1);

    @Test
    void atFullCapacityAndClockItIsTheTaskClock() {
        clock.advance(0, 123_457, false, 1024, 1024);
        assertThat(clock.now(0)).isEqualTo(123_457);
    }

    @Test
    void aSmallOrSlowCpuAgesLess() {
        clock.advance(0, 1000, false, 512, 1024);
        assertThat(clock.now(0)).isEqualTo(500);
        clock.advance(0, 2000, false, 512, 512);
        assertThat(clock.now(0)).isEqualTo(750);
    }

    @Test
    void itCatchesUpWhenIdle() {
        clock.advance(0, 1000, false, 512, 1024);
        clock.enterIdle(0, 0);
        assertThat(clock.now(0)).isEqualTo(1000);
        clock.advance(0, 5000, true, 512, 1024);
        assertThat(clock.now(0)).isEqualTo(5000);
    }

    @Test
    void whatABusyCpuCouldNotDoInTimeIsLost() {
        clock.advance(0, 1000, false, 512, 1024);
        clock.enterIdle(0, ((long) (47_742 - 1024) << 10) - 47_742);
        assertThat(clock.now(0)).isEqualTo(500);
        clock.advance(0, 3000, true, 512, 1024);
        assertThat(clock.now(0)).isEqualTo(2500);

        clock.advance(0, 4000, false, 512, 1024);
        clock.enterIdle(0, ((long) (47_742 - 1024) << 10) - 47_743);
        assertThat(clock.now(0)).isEqualTo(3500);
    }

    @Test
    void theTaskClockDoesNotGoBack() {
        clock.advance(0, 1000, false, 1024, 1024);
        assertThatIllegalStateException().isThrownBy(() -> clock.advance(0, 999, false, 1024, 1024));
    }
}
