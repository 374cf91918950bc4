package dev.perch.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.lab.statistics.MeanInterval;
import dev.perch.lab.statistics.Sample;
import dev.perch.model.Distance;
import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationSpec;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrecisionTest {
    private static final ExperimentPlan PLAN =
            ExperimentPlan.of(ExperimentFile.parse("noise.yaml", """
            name: noise
            title: Values that vary
            machines: [e5620]
            kernels: [v3.2-rc1, v3.3]
            workloads: [tcp-rr]
            repeats: 5
            """), TestLab.CATALOGUE);

    /** Values around 100: of the first kernel within 1, of the second within 20. */
    private static SimulationResult noisy(SimulationSpec spec) {
        double width = spec.kernel().expression().equals("v3.2-rc1") ? 1 : 20;
        double value = 100 + width * (2 * new SplittableRandom(spec.randomSeed()).nextDouble() - 1);
        return new SimulationResult(
                List.of(new SimulationResult.Instance("tcp-rr", 1, value, "transactions/s", "", List.of())),
                1,
                0,
                0,
                new SimulationResult.Scans(0, 0, 0, 0),
                new long[Distance.all().length],
                new long[Distance.all().length],
                0,
                1,
                spec.randomSeed());
    }

    private static ExperimentResult run(Precision precision, int threads) {
        return new ExperimentRun(PrecisionTest::noisy, threads).run(PLAN, 1, precision, done -> {});
    }

    @Test
    void runsEachRowUntilItIsKnownExactlyEnough() {
        Precision precision = new Precision(0.02, 0.95, 1000);
        ExperimentResult result = run(precision, 1);
        assertThat(result.rows().getFirst().runs()).hasSize(5);
        // a uniform distribution of ±20 has a deviation of 11.5: about (1.96 · 11.5 / 2)² = 128 runs
        assertThat(result.rows().getLast().runs().size()).isBetween(64, 256);
        assertThat(result.rows())
                .allSatisfy(row -> assertThat(MeanInterval.relativeHalfWidth(row.values(), 0.95))
                        .isLessThanOrEqualTo(0.02));
        assertThat(precision.report(result))
                .containsExactly("wanted: means within ±2% at 95% confidence; all rows are");
        assertThat(result.isComplete()).isTrue();
    }

    @Test
    void drawsASeedOfItsOwnForEachRun() {
        RowResult row = run(new Precision(0.02, 0.95, 1000), 1).rows().getLast();
        assertThat(row.runs()).extracting(SimulationResult::digest).doesNotHaveDuplicates();
        assertThat(row.repeats())
                .isSorted()
                .startsWith(0, 1, 2)
                .endsWith(row.runs().size() - 1);
    }

    @Test
    void stopsAtTheMostRunsAndSaysSo() {
        Precision precision = new Precision(0.001, 0.95, 12);
        ExperimentResult result = run(precision, 1);
        assertThat(result.rows()).allSatisfy(row -> assertThat(row.runs()).hasSize(12));
        assertThat(precision.report(result).getFirst()).endsWith("; 0 of 2 rows are");
        assertThat(precision.report(result).get(2)).startsWith("not exact enough after 12 runs: e5620 v3.3 tcp-rr (±");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void makesTheSameRunsWithAnyNumberOfThreads(int threads) {
        Precision precision = new Precision(0.02, 0.95, 1000);
        assertThat(ResultTable.lines(run(precision, threads))).isEqualTo(ResultTable.lines(run(precision, 1)));
    }

    @Test
    void countsProgressOverAllRounds() {
        AtomicInteger last = new AtomicInteger();
        ExperimentResult result =
                new ExperimentRun(PrecisionTest::noisy, 1).run(PLAN, 1, new Precision(0.02, 0.95, 1000), last::set);
        assertThat(last.get()).isEqualTo(result.runs());
    }

    @Test
    void wantsNoMoreOfValuesThatDoNotVary() {
        assertThat(new Precision(0.01, 0.95, 100).moreRuns(new Sample(5, 5))).isZero();
    }

    @Test
    void wantsASecondOfOneValue() {
        assertThat(new Precision(0.01, 0.95, 100).moreRuns(new Sample(5))).isEqualTo(1);
    }
}
