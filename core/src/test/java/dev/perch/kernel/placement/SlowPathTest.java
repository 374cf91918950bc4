package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TestKernels;
import dev.perch.model.CpuMask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fork and exec placement against F1 and F3 of placement.md 14.4 and the rules of 8.7. */
class SlowPathTest {
    @ParameterizedTest
    @ValueSource(strings = {"V", "3.2", "3.3", "3.9"})
    void forkOnAnIdleTwoSocketMachineGoesToTheOtherNode(String policy) {
        Bench bench = new Bench(TestKernels.policy(policy), "2xNHM");
        bench.run(0, 1, 1024);
        assertThat(bench.place(WakeKind.FORK, 0)).isEqualTo(13);
    }

    @Test
    void execOnAnIdleMachineLeavesItsOwnLoadBehind() {
        Bench bench = new Bench(TestKernels.policy("3.2"), "E5620");
        bench.run(3, 1, 1024);
        assertThat(bench.place(WakeKind.EXEC, 3)).isEqualTo(4);
    }

    @Test
    void forkStaysWhenOtherGroupsAreNotClearlyIdler() {
        Bench bench = new Bench(TestKernels.policy("3.2"), "FLAT8");
        bench.run(CpuMask.range(0, 7));
        assertThat(bench.place(WakeKind.FORK, 5)).isEqualTo(5);
    }

    /** Package level of 125 %, so a bias of 112: 100 · 1146 < 112 · 1024 stays, 100 · 1147 does not (scheduler.md 11, D8). */
    @ParameterizedTest
    @CsvSource({"1146, 3", "1147, 0"})
    void forkLeavesItsGroupWhenTheOtherIsMoreThanTheBiasIdler(int ownLoad, int chosen) {
        Bench bench = new Bench(TestKernels.policy("3.2"), "Q6600");
        bench.run(0, 1, 1024);
        bench.run(1, 1, 1024);
        bench.run(2, 1, ownLoad);
        bench.run(3, 1, ownLoad);
        assertThat(bench.place(WakeKind.FORK, 3)).isEqualTo(chosen);
    }

    @Test
    void forkHonoursTheAffinityOfTheChild() {
        Bench bench = new Bench(TestKernels.policy("3.2"), "2xNHM");
        bench.run(0, 1, 1024);
        bench.request.allow(CpuMask.parse("0-2"));
        assertThat(bench.place(WakeKind.FORK, 0)).isIn(1, 2);
    }

    @Test
    void forkOfAPinnedTaskStaysWithTheParentFrom33() {
        Bench bench = new Bench(TestKernels.policy("3.3"), "E5620");
        bench.request.allow(CpuMask.of(3));
        assertThat(bench.place(WakeKind.FORK, 3)).isEqualTo(3);
        assertThat(bench.view.probeCount).isZero();
    }

    @Test
    void forkOnAnIsolatedCpuStays() {
        Bench whole = new Bench(TestKernels.policy("3.2"), "E5620");
        Bench bench = new Bench(TestKernels.policy("3.2"), whole.topology, CpuMask.range(0, 2));
        assertThat(bench.place(WakeKind.FORK, 7)).isEqualTo(7);
    }
}
