package dev.perch.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.RuleKind;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The affine decision of every era, with the arithmetic examples Y04, Y06 – Y14 of placement.md 14.2 and the table of 8.5. */
class WakeAffineTest {
    /** Two CPUs of different nodes of a machine, the waker on 4 and the wakee last on 0, whose loads a test sets. */
    private static final class Pair {
        final Bench bench;
        final CpuView view;
        final WakeRequest request;
        final WakeAffine affine;
        final SchedDomain domain;

        Pair(Kernel kernel, String machine, int thisCpu, int prevCpu) {
            bench = new Bench(kernel, machine);
            view = bench.view;
            request = bench.request;
            WakeWide wide = WakeWides.of(kernel, kernel.rules().wakeWide(), bench.domains);
            affine = WakeAffines.of(kernel, kernel.rules().wakeAffine(), wide, bench.domains, bench.topology);
            request.thisCpu = thisCpu;
            request.prevCpu = prevCpu;
            SchedDomain d = bench.domains.lowest(thisCpu);
            while (!Objects.requireNonNull(d).span().contains(prevCpu)) {
                d = d.parent();
            }
            domain = d;
            busy(thisCpu, 1, 0);
            busy(prevCpu, 1, 0);
            sync(false, 0);
        }

        Pair(String era, String... features) {
            this(Eras.named(era, features), "2xNHM", 4, 0);
        }

        Pair busy(int cpu, int tasks, long load) {
            bench.run(cpu, tasks, 0);
            view.load[cpu] = load;
            view.runnableLoad[cpu] = load;
            view.loadAvg[cpu] = load;
            return this;
        }

        Pair sync(boolean sync, int wakerLoad) {
            request.sync = sync;
            request.wakerLoad = wakerLoad;
            request.wakerWeight = wakerLoad;
            return this;
        }

        Pair wakee(int load) {
            request.wakeeLoad = load;
            request.wakeeWeight = load;
            return this;
        }

        boolean pulls() {
            int target = affine.target(domain, request, view);
            assertThat(target).isIn(request.thisCpu, request.prevCpu);
            return target == request.thisCpu;
        }
    }

    @ParameterizedTest
    @CsvSource({"3.12, true", "4.0, false", "4.3, false"})
    void theClauseForLightPairsBesideHeavyWakersEndsWith313(String era, boolean pulled) {
        Pair pair = new Pair(era).busy(4, 2, 89_785).busy(0, 1, 1024).sync(true, 88_761);
        assertThat(pair.pulls()).isEqualTo(pulled);
    }

    @Test
    void aWakerOfMoreLoadThanItsCpuLeavesOnlyCapacitiesToCompare() {
        Pair pair = new Pair("4.3").busy(4, 1, 850).busy(0, 1, 0).sync(true, 900);
        assertThat(pair.pulls()).isTrue();
        pair.view.capacity[4] = 500;
        assertThat(pair.pulls()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"3.9", "3.12", "4.0", "4.3", "4.11"})
    void prevIsComparedWithoutTheWakeeAndThisWithIt(String era) {
        assertThat(new Pair(era).busy(4, 3, 3072).busy(0, 3, 3072).pulls()).isFalse();
        assertThat(new Pair(era).busy(4, 3, 3072).busy(0, 4, 4096).pulls()).isTrue();
    }

    @Test
    void wideWakersDoNotPullIn312To42() {
        for (String era : List.of("3.12", "4.0", "4.3")) {
            Pair pair = new Pair(era).busy(4, 1, 1024).busy(0, 1, 9000);
            pair.request.wakeeFlips = 9;
            pair.request.wakerFlips = 73;
            assertThat(pair.pulls()).isEqualTo(era.equals("4.3"));
            pair.request.wakerFlips = 72;
            assertThat(pair.pulls()).isTrue();
        }
    }

    /** Without the wide test the rules of 3.12 are those of 3.11. */
    @Test
    void nobodyIsWideWhereNobodyCounts() {
        Kernel kernel = Eras.with(Eras.named("3.12"), RuleKind.WAKE_WIDE, "none");
        Pair pair = new Pair(kernel, "2xNHM", 4, 0).busy(4, 1, 1024).busy(0, 1, 9000);
        pair.request.wakeeFlips = 9;
        pair.request.wakerFlips = 730;
        assertThat(pair.pulls()).isTrue();
    }

    @Test
    void taskGroupsSayWhatTheirTasksWeighAtTheRoot() {
        Pair pair = new Pair("3.9").busy(4, 1, 2048).busy(0, 1, 2048);
        assertThat(pair.pulls()).isFalse();
        pair.request.wakeeGroup = 7;
        List<String> asked = new ArrayList<>();
        pair.view.groups = (group, cpu, onCpu, inGroup) -> {
            asked.add(group + " on " + cpu + ": " + onCpu + " " + inGroup);
            return onCpu / 10;
        };
        assertThat(pair.pulls()).isTrue();
        assertThat(asked).containsExactly("7 on 4: 1024 1024", "7 on 0: 0 1024");
        asked.clear();
        pair.request.wakeeGroup = EffectiveLoads.ROOT;
        pair.request.wakerGroup = 3;
        pair.sync(true, 1024).pulls();
        assertThat(asked).containsExactly("3 on 4: -1024 -1024", "3 on 0: 0 -1024");
    }

    /** Y07, Y08: whole nodes, here all of their load on one CPU. */
    @ParameterizedTest
    @CsvSource({"5000, 8000, true", "5000, 6000, false", "0, 0, true"})
    void kernel413ComparesNodes(long thisNode, long prevNode, boolean pulled) {
        Pair pair = new Pair("4.13").busy(13, 2, thisNode).busy(9, 2, prevNode).wakee(1000);
        assertThat(pair.pulls()).isEqualTo(pulled);
    }

    @Test
    void kernel413AlwaysPullsInsideACache() {
        Pair pair = new Pair(Eras.named("4.13"), "E5620", 3, 1).busy(3, 5, 50_000);
        assertThat(pair.pulls()).isTrue();
    }

    /** Y09: 1500 against 1500 without a bias. */
    @ParameterizedTest
    @CsvSource({"4.14, true", "4.16, true", "4.18, false", "5.4, false", "5.6, false", "5.11, false", "6.18, false"})
    void equalLoadsPullUntil417(String era, boolean pulled) {
        Pair pair =
                new Pair(era, "NO_WA_BIAS").busy(4, 1, 1000).busy(0, 1, 2000).wakee(500);
        assertThat(pair.pulls()).isEqualTo(pulled);
    }

    /** Y10. */
    @ParameterizedTest
    @ValueSource(strings = {"4.18", "5.4", "5.6", "5.11", "6.18"})
    void equalLoadsPullForSyncWakersFrom418(String era) {
        Pair pair =
                new Pair(era, "NO_WA_BIAS").busy(4, 2, 1000).busy(0, 1, 2000).wakee(500);
        assertThat(pair.sync(true, 0).pulls()).isTrue();
    }

    /** Y11: 204 800 against 221 184 + 1, times the equal capacities of 1024. */
    @Test
    void kernel61ComparesLoadsAndSaysWhich() {
        Pair pair = new Pair("6.1.0").busy(4, 2, 2048).busy(0, 1, 3072).sync(true, 1024);
        assertThat(pair.domain.parameters().imbalancePercent()).isEqualTo(117);
        StepRecorder recorder = new StepRecorder();
        pair.view.listenWith(recorder);
        assertThat(pair.pulls()).isTrue();
        assertThat(recorder.lines())
                .containsExactly(
                        "idle (CPU 4): no",
                        "idle (CPU 0): no",
                        "one of this and prev is idle or soon will be: no",
                        "less load on this (CPU 4): yes, 209715200 against 226492417",
                        "wake_affine pulls to this (CPU 4): yes");
    }

    /** Y12. */
    @ParameterizedTest
    @ValueSource(strings = {"5.10", "5.11"})
    void anIdlePrevOfAnotherCacheIsKept(String era) {
        Pair pair = new Pair(era).busy(4, 1, 1024).busy(0, 0, 1024);
        assertThat(pair.pulls()).isFalse();
    }

    /** I3 of 8.5: an idle prev, on which the wakee has left more load than this CPU has. */
    @ParameterizedTest
    @CsvSource({"4.14, true", "5.6, true", "5.10, true", "5.11, false", "6.18, false"})
    void anIdlePrevIsKeptWhateverTheLoadsFrom511(String era, boolean pulled) {
        Pair pair = new Pair(era).busy(4, 1, 100).busy(0, 0, 5000).wakee(100);
        assertThat(pair.pulls()).isEqualTo(pulled);
    }

    /** I1 of 8.5: interrupts on an idle CPU; of another node, and of the same cache with prev idle and busy. */
    @ParameterizedTest
    @CsvSource({"4.14, true, true", "4.16, false, false", "4.18, false, false", "5.11, false, false"})
    void anIdleThisCpuPullsByTheErasRule(String era, boolean fromOtherNode, boolean fromIdlePrev) {
        assertThat(new Pair(era).busy(4, 0, 2000).busy(0, 1, 0).pulls()).isEqualTo(fromOtherNode);
        Kernel kernel = Eras.named(era);
        assertThat(new Pair(kernel, "E5620", 3, 1)
                        .busy(3, 0, 2000)
                        .busy(1, 0, 0)
                        .pulls())
                .isEqualTo(fromIdlePrev);
        assertThat(new Pair(kernel, "E5620", 3, 1)
                        .busy(3, 0, 2000)
                        .busy(1, 1, 0)
                        .pulls())
                .isTrue();
    }

    /** I2 and I2' of 8.5. */
    @ParameterizedTest
    @CsvSource({"4.14, false", "4.16, false", "5.11, false", "6.12, false", "6.12.117, true", "6.18, true"})
    void aSyncWakerAloneOnItsCpuPullsAndDelayedTasksCountUntil617(String era, boolean withDelayed) {
        Pair pair = new Pair(era).busy(4, 1, 5000).busy(0, 1, 0).sync(true, 1000);
        assertThat(pair.pulls()).isTrue();
        pair.view.nrRunning[4] = 2;
        assertThat(pair.pulls()).isFalse();
        pair.view.delayed[4] = 1;
        assertThat(pair.pulls()).isEqualTo(withDelayed);
    }

    @Test
    void featuresSwitchTheirHalfOff() {
        Pair noIdle =
                new Pair("6.1.0", "NO_WA_IDLE").busy(4, 1, 5000).busy(0, 1, 0).sync(true, 1000);
        assertThat(noIdle.pulls()).isFalse();
        Pair noWeight = new Pair("6.1.0", "NO_WA_WEIGHT").busy(4, 1, 0).busy(0, 1, 9000);
        assertThat(noWeight.pulls()).isFalse();
        assertThat(new Pair("6.1.0").busy(4, 1, 0).busy(0, 1, 9000).pulls()).isTrue();
    }

    @Test
    void aWakerOfMoreLoadThanItsCpuPullsFrom414() {
        assertThat(new Pair("6.1.0")
                        .busy(4, 2, 1000)
                        .busy(0, 1, 0)
                        .sync(true, 1001)
                        .pulls())
                .isTrue();
        assertThat(new Pair("6.1.0")
                        .busy(4, 2, 1000)
                        .busy(0, 1, 0)
                        .sync(true, 1000)
                        .pulls())
                .isFalse();
    }

    /** 8.5: blocked load counts from 5.5 on. */
    @ParameterizedTest
    @CsvSource({"5.4, false", "5.6, true"})
    void blockedLoadOfPrevCountsFrom55(String era, boolean pulled) {
        Pair pair = new Pair(era).busy(4, 1, 1024).busy(0, 1, 1024);
        pair.view.loadAvg[0] = 4096;
        assertThat(pair.pulls()).isEqualTo(pulled);
    }

    /** Percentages of 11.5 and the bias of 8: SMT 110 → 105, MC and later packages 117 → 108, before 125 → 112. */
    @ParameterizedTest
    @CsvSource({
        "3.12, E5620, 3, 7, 105",
        "3.12, E5620, 3, 1, 112",
        "4.0, E5620, 3, 1, 108",
        "4.0, 2xNHM, 4, 0, 112",
        "5.9, 2xNHM, 4, 0, 112",
        "5.10, 2xNHM, 4, 0, 108",
        "6.18, E5620, 3, 7, 105",
        "6.18, E5620, 3, 1, 108"
    })
    void theBiasIsHalfOfWhatTheLevelAllows(String era, String machine, int thisCpu, int prevCpu, int bias) {
        assertThat(WakeAffine.bias(new Pair(Eras.named(era), machine, thisCpu, prevCpu).domain))
                .isEqualTo(bias);
    }

    /** Y13 and Y14, on an LLC of 8. */
    @ParameterizedTest
    @CsvSource({
        "3.12, 9, 73, true",
        "3.12, 9, 72, false",
        "3.12, 8, 1000, false",
        "4.0, 9, 73, true",
        "4.3, 8, 64, true",
        "4.3, 64, 8, true",
        "4.3, 7, 100, false",
        "4.3, 8, 63, false",
        "none, 9, 1000, false"
    })
    void wideWakersAreToldByTheirFlips(String id, int wakeeFlips, int wakerFlips, boolean expected) {
        Bench bench = new Bench(Eras.named("4.3"), "E5620");
        bench.request.wakeeFlips = wakeeFlips;
        bench.request.wakerFlips = wakerFlips;
        WakeWide wide = WakeWides.of(Eras.named("4.3"), id, bench.domains);
        assertThat(wide.wide(bench.request, bench.view)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"WAKE_WIDE, wake-wide", "WAKE_AFFINE, wake-affine", "SLOW_PATH, slow-path", "CALLER, caller"})
    void aRuleSetThatIsNotKnownIsNamed(RuleKind kind, String key) {
        Kernel kernel = Eras.with(Eras.named("6.1.0"), kind, "dreamy");
        assertThatThrownBy(() -> new Bench(kernel, "E5620"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(key + " rules 'dreamy'");
    }
}
