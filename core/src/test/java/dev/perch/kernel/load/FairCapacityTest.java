package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Expected values: placement.md 8.6 and scheduler.md 11, D7. */
class FairCapacityTest {
    @Test
    void until420ThreadsShareTheirCoreAndFifteenPercent() {
        assertThat(FairCapacity.shared(1, 500_000_000, 0)).isEqualTo(1024);
        assertThat(FairCapacity.shared(2, 500_000_000, 0)).isEqualTo(589);
        assertThat(FairCapacity.shared(4, 500_000_000, 0)).isEqualTo(294);
    }

    @Test
    void realtimeTimeIsTakenOffByItsShareOfTheWindow() {
        assertThat(FairCapacity.shared(1, 550_000_000, 100_000_000)).isEqualTo(837);
        assertThat(FairCapacity.shared(2, 550_000_000, 100_000_000)).isEqualTo(589 * 837 / 1024);
        assertThat(FairCapacity.shared(2, 550_000_000, 600_000_000)).isEqualTo(1);
    }

    @Test
    void from50ThreadsCountFullLessWhatOthersUse() {
        assertThat(FairCapacity.left(1024, 0, 0)).isEqualTo(1024);
        assertThat(FairCapacity.left(1024, 256, 0)).isEqualTo(768);
        assertThat(FairCapacity.left(1024, 256, 512)).isEqualTo(384);
        assertThat(FairCapacity.left(446, 446, 0)).isEqualTo(1);
        assertThat(FairCapacity.left(1024, 0, 1024)).isEqualTo(1);
    }
}
