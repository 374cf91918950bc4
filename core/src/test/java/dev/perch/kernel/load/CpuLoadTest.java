package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** Expected values: scheduler.md 11, C9 and C10. */
class CpuLoadTest {
    private final CpuLoad load = new CpuLoad(true);
    private long jiffies;

    @Test
    void risesAndFallsTheSlowerTheHigherTheCopy() {
        tick(1024);
        assertThat(copies()).containsExactly(1024, 512, 256, 128, 64);
        tick(1024);
        assertThat(copies()).containsExactly(1024, 768, 448, 240, 124);
        tick(1024);
        assertThat(copies()).containsExactly(1024, 896, 592, 338, 181);
        tick(1024);
        assertThat(copies()).containsExactly(1024, 960, 700, 424, 234);
        for (int i = 5; i <= 8; i++) {
            tick(1024);
        }
        assertThat(copies()).containsExactly(1024, 1020, 922, 674, 416);
        tick(0);
        assertThat(copies()).containsExactly(0, 510, 691, 589, 390);
        tick(0);
        assertThat(copies()).containsExactly(0, 255, 518, 515, 365);
        tick(0);
        assertThat(copies()).containsExactly(0, 127, 388, 450, 342);
    }

    @Test
    void missedTicksCountAsWithoutLoad() {
        saturate(load);
        load.update(1000 + 11, 0);
        assertThat(copies()).containsExactly(0, 0, 40, 230, 498);

        CpuLoad other = new CpuLoad(true);
        saturate(other);
        other.update(1000 + 4, 2048);
        assertThat(new long[] {other.copy(0), other.copy(1), other.copy(2), other.copy(3), other.copy(4)})
                .containsExactly(2048, 1088, 836, 857, 916);
    }

    @Test
    void aLongAbsenceForgetsEverything() {
        saturate(load);
        load.update(1000 + 200, 0);
        assertThat(copies()).containsExactly(0, 0, 0, 0, 0);
    }

    private static void saturate(CpuLoad load) {
        for (long tick = 1; tick <= 1000; tick++) {
            load.update(tick, 1024);
        }
        assertThat(load.copy(4)).isEqualTo(1024);
    }

    @Test
    void oneTickCountsOnce() {
        tick(1024);
        load.update(jiffies, 5000);
        assertThat(copies()).containsExactly(1024, 512, 256, 128, 64);
    }

    @Test
    void pullingBelievesTheLowerLoadAndPushingTheHigher() {
        tick(1024);
        tick(1024);

        assertThat(load.sourceLoad(2, 1024)).isEqualTo(768);
        assertThat(load.targetLoad(2, 1024)).isEqualTo(1024);
        assertThat(load.sourceLoad(2, 0)).isZero();
        assertThat(load.targetLoad(2, 0)).isEqualTo(768);
        assertThat(load.sourceLoad(0, 3072)).isEqualTo(3072);
        assertThat(load.targetLoad(0, 0)).isZero();
    }

    @Test
    void withoutBiasThePresentLoadIsAllThereIs() {
        CpuLoad unbiased = new CpuLoad(false);
        unbiased.update(1, 1024);

        assertThat(unbiased.sourceLoad(4, 512)).isEqualTo(512);
        assertThat(unbiased.targetLoad(1, 512)).isEqualTo(512);
    }

    @Test
    void ticksDoNotGoBack() {
        load.update(5, 0);
        assertThatIllegalStateException().isThrownBy(() -> load.update(4, 0));
    }

    private void tick(long weight) {
        load.update(++jiffies, weight);
    }

    private long[] copies() {
        return new long[] {load.copy(0), load.copy(1), load.copy(2), load.copy(3), load.copy(4)};
    }
}
