package dev.perch.machines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Distances worked out by hand from the numbers in the machine files. */
class NearestMachineTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    private static Machine machine(String name) {
        return Machines.find(name, HOME);
    }

    /** Four CPUs that share a cache: two cores of two threads, or four of one. */
    private static Topology topology(boolean smt) {
        List<CpuMask> cores = smt
                ? List.of(CpuMask.range(0, 1), CpuMask.range(2, 3))
                : IntStream.range(0, 4).mapToObj(CpuMask::of).toList();
        List<CpuMask> all = List.of(CpuMask.range(0, 3));
        return new Topology(4, cores, null, all, all, all, new int[][] {{10}});
    }

    private static NearestMachine.Known known(boolean smt, long llcPs, int khz) {
        return new NearestMachine.Known(
                topology(smt),
                llcPs == 0 ? OptionalLong.empty() : OptionalLong.of(llcPs),
                khz == 0 ? OptionalInt.empty() : OptionalInt.of(khz));
    }

    private static NearestMachine.Choice to(String name, NearestMachine.Known known) {
        return NearestMachine.among(known, List.of(machine(name)));
    }

    /** The e5620: 37.2 ns, 2.394 GHz, two threads. ln(46.5/37.2) = ln 1.25 = 0.22314; ln(2.394/1.197) = ln 2 = 0.69315. */
    @Test
    void theDistanceIsTheSumOfTheLogarithmsOfTheRatios() {
        assertThat(to("e5620", known(true, 37_200, 2_394_000)).distance()).isZero();
        assertThat(to("e5620", known(true, 46_500, 2_394_000)).distance()).isCloseTo(0.22314, within(1e-5));
        assertThat(to("e5620", known(true, 46_500, 1_197_000)).distance()).isCloseTo(0.91629, within(1e-5));
        assertThat(to("e5620", known(true, 0, 1_197_000)).distance()).isCloseTo(0.69315, within(1e-5));
        assertThat(to("e5620", known(true, 29_760, 0)).distance()).isCloseTo(0.22314, within(1e-5));
    }

    /** The RK3588: 65 ns, 2.4 GHz, one thread, CPUs of two sizes. The i9-12900K: equal capacities, but unequal speeds. */
    @Test
    void threadsAndUnequalCpusCountAsAFactorOfTwoEach() {
        assertThat(to("e5620", known(false, 37_200, 2_394_000)).distance()).isCloseTo(0.69315, within(1e-5));
        assertThat(to("rk3588", known(false, 65_000, 2_400_000)).distance()).isCloseTo(0.69315, within(1e-5));
        assertThat(to("rk3588", known(true, 65_000, 2_400_000)).distance()).isCloseTo(1.38629, within(1e-5));
        NearestMachine.Known small = new NearestMachine.Known(
                topology(false).withCapacities(new int[] {1024, 1024, 512, 512}),
                OptionalLong.of(65_000),
                OptionalInt.of(2_400_000));
        assertThat(to("rk3588", small).distance()).isZero();
        assertThat(to("alder-lake-12900k", known(true, 38_600, 3_200_000)).distance())
                .isCloseTo(0.69315, within(1e-5));
    }

    /**
     * 51.26 ns, 3.0 GHz and two threads: the Xeon 8275CL (46.6 ns, 3.0 GHz) is ln 1.1 = 0.09531 away. That every other one is farther
     * follows from the clock alone for those below 2.72 GHz (ln(3.0/2.72) = 0.098) and from threads or speeds for the i9 (0.693).
     */
    @Test
    void theNearestOfTheShippedMachinesIsFoundAndSaysWhy() {
        NearestMachine.Choice choice = NearestMachine.of(known(true, 51_260, 3_000_000), HOME);
        assertThat(choice.machine().name()).isEqualTo("xeon-8275cl");
        assertThat(choice.distance()).isCloseTo(0.09531, within(1e-5));
        assertThat(choice.sentence())
                .isEqualTo(
                        "nearest is xeon-8275cl, distance 0.10: a line within the LLC takes 46.6 ns, here 51.3; "
                                + "the nominal clock is 3.000 GHz, here 3.000; cores have threads, as here; CPUs are equal, as here");
    }

    @Test
    void whatDiffersInKindIsSaid() {
        assertThat(to("rk3588", known(true, 0, 0)).sentence())
                .isEqualTo("nearest is rk3588, distance 1.39: cores have one thread, but have not here; "
                        + "CPUs are unequal, but are not here");
    }

    @Test
    void theFirstByNameIsChosenOfThoseEquallyNear() {
        List<Machine> machines = List.of(machine("xeon-8275cl"), machine("nehalem-ex-8s"), machine("e5620"));
        assertThat(NearestMachine.among(known(true, 0, 0), machines).machine().name())
                .isEqualTo("e5620");
        assertThat(NearestMachine.among(known(true, 0, 0), machines.reversed())
                        .machine()
                        .name())
                .isEqualTo("e5620");
    }

    @Test
    void machinesWithoutCostsAreNoChoice() {
        Machine bare = new Machine("bare", "", "", topology(true), List.of(), null, java.util.Map.of());
        NearestMachine.Known known = known(true, 37_200, 2_394_000);
        assertThat(NearestMachine.among(known, List.of(bare, machine("rk3588")))
                        .machine()
                        .name())
                .isEqualTo("rk3588");
        assertThatThrownBy(() -> NearestMachine.among(known, List.of(bare)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("no machine with costs");
    }
}
