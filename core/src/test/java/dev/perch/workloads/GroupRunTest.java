package dev.perch.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.perch.kernel.Kernels;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.sim.Settings;
import dev.perch.sim.SettingsText;
import dev.perch.sim.Simulation;
import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationSpec;
import dev.perch.sim.workload.WorkloadExpression;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Task groups in runs. What is expected: a CPU is shared by the weights of the groups (scheduler.md 1.19), a group runs for its quota in each
 * period and is throttled for the rest of it (1.20).
 */
class GroupRunTest {
    private static final long MS = 1_000_000;

    private static SimulationSpec spec(String kernel, String workload, int ms, String... settings) {
        Settings chosen = Settings.DEFAULT;
        for (String setting : List.of("governor=performance", "turbo=off", "noise=0", "housekeeping=0")) {
            chosen = SettingsText.with(chosen, setting);
        }
        for (String setting : settings) {
            chosen = SettingsText.with(chosen, setting);
        }
        return new SimulationSpec(
                Machines.find("q6600", Observed.HOME),
                Kernels.resolve(kernel, Observed.HOME),
                WorkloadExpression.parse(workload),
                chosen,
                CpuMask.empty(),
                CpuMask.empty(),
                1,
                0,
                ms * MS);
    }

    /** Nominal ms of work a second of each hog. */
    private static double[] work(SimulationSpec spec) {
        return Simulation.run(spec).instances().stream()
                .mapToDouble(SimulationResult.Instance::value)
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v3.9", "v4.9", "v5.4", "v5.16", "v6.1", "v6.6", "v6.12", "v6.18"})
    void aCpuIsSharedByTheWeightsOfGroups(String kernel) {
        // the root group's hog weighs as much as a group of weight 100: 1/5 of the CPU, 1/5 for a's two, 3/5 for b
        double[] work = work(
                spec(kernel, "hog:pin=0,group=a,weight=100*2+hog:pin=0,group=b,weight=300+hog:pin=0", 4000, "hz=1000"));
        assertThat(work[0]).isCloseTo(100, within(8.0));
        assertThat(work[1]).isCloseTo(100, within(8.0));
        assertThat(work[2]).isCloseTo(600, within(15.0));
        assertThat(work[3]).isCloseTo(200, within(8.0));
    }

    /**
     * Of a's 1024 shares, CPU 0 has 3/4 for three of its four hogs and CPU 1 the rest; beside them is one hog of 1024 on each. Until 4.2 a CPU's load is
     * told only when it is out by an eighth, so that CPU 1's part is 224 to 288: 17 ms in a second.
     */
    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v3.9", "v4.9", "v5.4", "v5.16", "v6.1", "v6.6", "v6.12", "v6.18"})
    void aGroupsSharesAreDividedAmongCpusByItsLoadThere(String kernel) {
        double[] work =
                work(spec(kernel, "hog:pin=0,group=a*3+hog:pin=1,group=a+hog:pin=0+hog:pin=1", 4000, "hz=1000"));
        assertThat(work[0] + work[1] + work[2]).isCloseTo(1000.0 * 768 / (768 + 1024), within(20.0));
        assertThat(work[3]).isCloseTo(1000.0 * 256 / (256 + 1024), within(20.0));
        assertThat(work[4]).isCloseTo(1000.0 * 1024 / (768 + 1024), within(20.0));
        assertThat(work[5]).isCloseTo(1000.0 * 1024 / (256 + 1024), within(20.0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v5.16", "v6.6", "v6.12"})
    void aTreeOfGroupsSharesLevelByLevel(String kernel) {
        Observed seen = Observed.of("./x.yaml", """
                title: three groups, two of them in a third
                groups:
                  a/x: {weight: 100}
                  a/y: {weight: 300}
                tasks:
                  x: {group: a/x, cpus: 0, phases: [{compute: 1 ms}, count]}
                  y: {group: /a/y, cpus: 0, phases: [{compute: 1 ms}, count]}
                  b: {group: b, cpus: 0, phases: [{compute: 1 ms}, count]}
                """, kernel, 4000, "hz=1000");
        assertThat(seen.figure("x operations")).isCloseTo(1000 / 8.0, within(8.0));
        assertThat(seen.figure("y operations")).isCloseTo(3000 / 8.0, within(12.0));
        assertThat(seen.figure("b operations")).isCloseTo(500, within(15.0));
    }

    /** All hogs of an item are one session; without autogroup all tasks have the same. */
    @ParameterizedTest
    @CsvSource({"on, v3.2, 125, 500", "on, v6.12, 125, 500", "off, v3.2, 200, 200", "off, v6.12, 200, 200"})
    void autogroupGivesEachSessionTheSame(String autogroup, String kernel, double ofFour, double alone) {
        double[] work = work(spec(kernel, "hog:pin=0*4+hog:pin=0", 4000, "hz=1000", "autogroup=" + autogroup));
        for (int hog = 0; hog < 4; hog++) {
            assertThat(work[hog]).isCloseTo(ofFour, within(10.0));
        }
        assertThat(work[4]).isCloseTo(alone, within(12.0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v3.9", "v4.9", "v5.16", "v6.1", "v6.6", "v6.12", "v6.18"})
    void aQuotaIsUsedUpAtOnceInEachPeriodAndTheRestOfItIsThrottled(String kernel) {
        Observed seen = Observed.of("./x.yaml", """
                title: a fifth of a CPU
                groups: {a: {quota: 20 ms}}
                tasks: {t: {group: a, cpus: 1, phases: [{compute: 1 ms}, count]}}
                """, kernel, 1000, "hz=1000");
        // the tick at which it is found out is up to 1 ms late, and what was too much is taken off the next quota
        for (int period = 0; period < 9; period++) {
            Observed.Stay stay = seen.of(1).get(period);
            assertThat(stay.from()).isCloseTo(100 * MS * period, within(MS));
            assertThat(stay.length()).isCloseTo(20 * MS, within(3 * MS / 2));
        }
        assertThat(seen.timeOnCpu(1)).isCloseTo(200 * MS, within(2 * MS));
        assertThat(seen.figure("group a throttled")).isCloseTo(800, within(3.0));
    }

    @Test
    void aQuotaIsForAllCpusTogether() {
        // 100 ms of each 100 ms on four CPUs: 25 ms each, taken in slices of 5 ms, so that none gets more than one
        // slice more than another
        for (String kernel : new String[] {"v3.9", "v6.12"}) {
            double[] work = work(spec(
                    kernel,
                    "hog:pin=0,group=a,quota=100000+hog:pin=1,group=a+hog:pin=2,group=a+hog:pin=3,group=a",
                    2000,
                    "hz=1000"));
            assertThat(work[0] + work[1] + work[2] + work[3]).isCloseTo(1000, within(15.0));
            for (double one : work) {
                assertThat(one).isCloseTo(250, within(55.0));
            }
        }
    }

    @Test
    void aLimitedGroupDoesNotHoldUpOthers() {
        double[] work = work(spec("v6.12", "hog:pin=0,group=a,quota=30000+hog:pin=0", 2000, "hz=1000"));
        assertThat(work[0]).isCloseTo(300, within(10.0));
        assertThat(work[1]).isCloseTo(700, within(10.0));
    }

    @Test
    void whoIsForkedIsInTheGroupOfItsParent() {
        // 20 ms in each 100 ms for parent and child together, which want 100 ms each; both take slices of 5 ms
        Observed seen = Observed.of("./x.yaml", """
                title: a family
                groups: {a: {quota: 20 ms}}
                tasks:
                  parent: {group: a, times: 1, phases: [{fork: child}, {compute: 100 ms}, count]}
                  child: {copies: 0, times: 1, phases: [{compute: 100 ms}]}
                """, "v5.16", 600, "hz=1000");
        long both = seen.timeOnCpu(1) + seen.timeOnCpu(2);
        assertThat(both).isCloseTo(120 * MS, within(6 * MS));
        assertThat(seen.timeOnCpu(2)).isGreaterThan(10 * MS);
    }

    /** The second phase of t is in the group of two others: half of the CPU before, a sixth then. */
    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v5.16", "v6.6", "v6.12", "v6.18"})
    void aPhaseOfAnRtAppFileCanBeInAnotherGroup(String kernel) {
        Observed seen = Observed.of("./file.json", """
                { "tasks" : {
                    "t" : { "cpus" : [0], "loop" : 1, "taskgroup" : "/tg1", "phases" : {
                        "alone" : { "run" : 300000 },
                        "among" : { "taskgroup" : "/tg2/tg21", "run" : 100000 } } },
                    "o" : { "instance" : 2, "cpus" : [0], "taskgroup" : "/tg2/tg21", "run" : 1000 } } }
                """, kernel, 1300, "hz=1000");
        // 300 ms at a half, 100 ms at a third of the whole CPU, which tg2 has alone then
        assertThat(seen.exits).hasSize(1);
        assertThat(seen.exits.getFirst()).isCloseTo(900 * MS, within(45 * MS));
    }

    /** Two that only compute switch when the deadline of one is over, which is a slice after it began: scheduler.md 11, B10, with slices of 10 ms. */
    @ParameterizedTest
    @CsvSource({"v6.12, 10, 10", "v6.18, 10, 10", "v6.12, 3, 3", "v6.6, 10, 6"})
    void aTaskAsksForItsOwnSliceFrom612On(String kernel, long sliceMs, long longestMs) {
        Observed seen = Observed.of("./x.yaml", """
                title: slices
                tasks: {t: {copies: 2, slice: %d ms, cpus: 0, phases: [{compute: 1 ms}, count]}}
                """.formatted(sliceMs), kernel, 300, "hz=1000");
        // 6.6 knows no slices: 2.25 ms on four CPUs, found out at ticks of 1 ms; equal deadlines let it go on
        for (Observed.Stay stay : seen.of(1).subList(2, seen.of(1).size())) {
            if (kernel.equals("v6.6")) {
                assertThat(stay.length()).isLessThan(longestMs * MS);
            } else {
                assertThat(stay.length()).isCloseTo(longestMs * MS, within(MS / 10));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "hog:weight=200 | workload 'hog': weight=200 is of no group; write group=NAME too",
                "hog:group=a,weight=0 | weight=0 is not a number from 1 to 10000",
                "hog:group=a,quota=500 | quota=500 is no limit; write microseconds, at least 1000",
                "hog:group=a,quota=5000/2000000 | quota=5000/2000000 is no limit",
                "hog:group=a//b | 'a//b' is no path of a group",
                "hog:group=/,weight=5 | the root group has neither weight nor limit",
                "hog:group=a,weight=5+hog:group=a,weight=6 | group 'a' is given twice with different weights or limits",
            })
    void namesWhatIsWrongWithAGroup(String workload, String message) {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> Simulation.check(spec("v6.12", workload, 100)))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v2.6.39 | {a: {quota: 20 ms}} | cannot limit a task group (cpu.max); that came with v3.2",
                "v5.10 | {a: {quota: 20 ms, burst: 10 ms}} | knows no burst of a task group",
                "v5.10 | {a: {idle: true}} | knows no idle task group (cpu.idle); that came with v5.15",
            })
    void aKernelThatHasNoSuchGroupsRefusesThem(String kernel, String groups, String message) {
        String text = "title: x\ngroups: " + groups + "\ntasks: {t: {group: a, phases: [{compute: 1 ms}, count]}}\n";
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> Simulation.check(Observed.spec("./x.yaml", text, kernel, 10)))
                .withMessageContaining(message);
    }
}
