package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestKernels;
import dev.perch.kernel.domain.SchedDomain;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** wake_affine by load weight, with the arithmetic examples Y01 – Y05 of placement.md 14.2. */
class WeightAffineTest {
    private static boolean pulls(Bench bench, SchedDomain domain, int thisCpu, int prevCpu, int wakerWeight) {
        bench.request.thisCpu = thisCpu;
        bench.request.prevCpu = prevCpu;
        bench.request.sync = wakerWeight > 0;
        bench.request.wakerWeight = wakerWeight;
        return new WeightAffine(LoadTerm.WEIGHT, WakeWide.NEVER).target(domain, bench.request, bench.view) == thisCpu;
    }

    /** Two CPUs of different LLCs under a package level (percentage 125, so a bias of 112). */
    private static boolean pullsAcrossPackage(long thisLoad, int running, long prevLoad, int wakerWeight) {
        Bench bench = new Bench(TestKernels.policy("3.2"), "Q6600");
        SchedDomain domain = Objects.requireNonNull(
                Objects.requireNonNull(bench.domains.lowest(2)).parent());
        assertThat(domain.parameters().imbalancePercent()).isEqualTo(125);
        bench.view.load[2] = thisLoad;
        bench.view.nrRunning[2] = running;
        bench.view.load[0] = prevLoad;
        return pulls(bench, domain, 2, 0, wakerWeight);
    }

    @Test
    void equalLoadsOfThreeTasksStay() {
        assertThat(pullsAcrossPackage(3072, 3, 3072, 0)).isFalse();
    }

    @Test
    void oneTaskMoreOnPrevPulls() {
        assertThat(pullsAcrossPackage(3072, 3, 4096, 0)).isTrue();
    }

    @Test
    void aHeavySyncWakerLetsALightPairBePulled() {
        assertThat(pullsAcrossPackage(89_785, 2, 1024, 88_761)).isTrue();
    }

    @Test
    void siblingsUseTheSmtLevelsBias() {
        Bench bench = new Bench(TestKernels.policy("3.2"), "E5620");
        bench.view.load[3] = 1024;
        bench.view.nrRunning[3] = 1;
        bench.view.load[7] = 2048;
        SchedDomain smt = Objects.requireNonNull(bench.domains.lowest(3));
        assertThat(smt.parameters().imbalancePercent()).isEqualTo(110);
        assertThat(pulls(bench, smt, 3, 7, 0)).isTrue();
    }

    @Test
    void aSyncWakerAloneLeavesNothingBehindAndPulls() {
        assertThat(pullsAcrossPackage(1024, 1, 0, 1024)).isTrue();
        assertThat(pullsAcrossPackage(1024, 1, 0, 0)).isFalse();
    }

    @Test
    void hugeLoadsDoNotOverflow() {
        long load = 8192L * 88_761;
        assertThat(pullsAcrossPackage(load, 8192, load / 2, 0)).isFalse();
        assertThat(pullsAcrossPackage(load, 8192, load * 2, 0)).isTrue();
    }
}
