package dev.perch.kernel.cpufreq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The rules of scheduler.md 6.2, step 1, and 6.4, load. */
class PolicyLoadTest {
    private static final int KHZ = 2_000_000;

    @Test
    void theCpuWithTheLargestLoadDecides() {
        PolicyLoad load = new PolicyLoad(2, false, true, false);
        load.begin(10_000);
        load.add(0, 10_000, 9_000, 0, 0, 0, KHZ);
        load.add(1, 10_000, 3_000, 0, 0, 1_500_000, KHZ);

        assertThat(load.load()).isEqualTo(70);
        assertThat(load.loadKhz()).isEqualTo(70L * 1_500_000);
    }

    @Test
    void waitingForInputOrOutputIsBusyTimeIfToldSo() {
        assertThat(oneSample(false, true, 8_000, 3_000, 0)).isEqualTo(50);
        assertThat(oneSample(false, false, 8_000, 3_000, 0)).isEqualTo(20);
    }

    @Test
    void niceTimeIsIdleTimeIfToldSo() {
        assertThat(oneSample(true, false, 2_000, 0, 3_000)).isEqualTo(50);
        assertThat(oneSample(false, false, 2_000, 0, 3_000)).isEqualTo(80);
    }

    private static int oneSample(boolean ignoreNice, boolean ioIsBusy, long idle, long iowait, long nice) {
        PolicyLoad load = new PolicyLoad(1, ignoreNice, ioIsBusy, false);
        load.begin(10_000);
        load.add(0, 10_000, idle, iowait, nice, 0, KHZ);
        return load.load();
    }

    @Test
    void aSampleWithoutTimeOrWithMoreIdleTimeThanTimeIsWithoutLoad() {
        PolicyLoad load = new PolicyLoad(1, false, false, false);
        load.begin(10_000);
        load.add(0, 0, 0, 0, 0, 0, KHZ);
        assertThat(load.load()).isZero();

        load.begin(10_000);
        load.add(0, 10, 11, 0, 0, 0, KHZ);
        assertThat(load.load()).isZero();
    }

    @Test
    void laterKernelsTakeTheLoadFromBeforeALongSleepOnceMore() {
        PolicyLoad load = new PolicyLoad(1, false, false, true);
        load.begin(8_000);
        load.add(0, 8_000, 800, 0, 0, 0, KHZ);
        assertThat(load.load()).isEqualTo(90);
        assertThat(load.sleptLong()).isFalse();

        load.begin(8_000);
        load.add(0, 48_000, 40_800, 0, 0, 0, KHZ);
        assertThat(load.load()).isEqualTo(90);
        assertThat(load.sleptLong()).isTrue();
        assertThat(load.idlePeriods()).isEqualTo(5);

        load.begin(8_000);
        load.add(0, 88_000, 80_800, 0, 0, 0, KHZ);
        assertThat(load.load()).isZero();
    }

    @Test
    void laterKernelsKeepTheLoadIfNoTimeHasPassed() {
        PolicyLoad load = new PolicyLoad(1, false, false, true);
        load.begin(8_000);
        load.add(0, 8_000, 4_000, 0, 0, 0, KHZ);
        load.begin(8_000);
        load.add(0, 8_000, 4_000, 0, 0, 0, KHZ);
        assertThat(load.load()).isEqualTo(50);
    }
}
