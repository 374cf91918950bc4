package dev.perch.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.Distance;
import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTableTest {
    private static List<String> lines(String more) {
        Experiment experiment = ExperimentFile.parse("x.yaml", """
                name: matrix
                title: Three pins
                source: a mail
                machines: [e5620]
                kernels: [v3.2-rc1]
                workloads:
                  - {name: 3->3, workload: "tcp-rr:pin=3/3"}
                  - {name: 3->1, workload: "tcp-rr:pin=3/1"}
                  - {name: 3->7, workload: "tcp-rr:pin=3/7"}
                published:
                  - {workload: 3->3, value: 129394.55, role: calibration}
                  - {workload: 3->7, value: 74141.88, role: prediction, tolerance: 0.1}
                """ + more);
        ExperimentPlan plan = ExperimentPlan.of(experiment, TestLab.CATALOGUE);
        return ResultTable.lines(new ExperimentRun(TestLab::formula, 1).run(plan, 1, done -> {}));
    }

    @Test
    void showsExtremesAndMedianOfManyRuns() {
        assertThat(lines("repeats: 4\n"))
                .anySatisfy(
                        line -> assertThat(line)
                                .matches(
                                        "workload +min +median +max +mean +±95% +ratio +published +error +bounce +cpu +smt +llc +end states"));
    }

    @Test
    void showsEveryOneOfAFewRuns() {
        assertThat(lines("repeats: 2\n"))
                .anySatisfy(line -> assertThat(line).matches("workload +run 1 +run 2 +mean +±95% +ratio .*"));
    }

    private static final Experiment MIXED = ExperimentFile.parse("mixed.yaml", """
            name: mixed
            title: Rates and times
            machines: [e5620]
            kernels: [v3.2-rc1, v3.3]
            workloads: [tcp-rr, hog]
            repeats: 2
            """);

    /** Rates of 100 and 110, times of 5 and 4. */
    private static SimulationResult mixed(SimulationSpec spec) {
        boolean rate = spec.workload().getFirst().name().equals("tcp-rr");
        boolean first = spec.kernel().expression().equals("v3.2-rc1");
        double value = rate ? first ? 100 : 110 : first ? 5 : 4;
        return new SimulationResult(
                List.of(new SimulationResult.Instance(
                        spec.workload().getFirst().name(), 1, value, rate ? "transactions/s" : "us/op", "", List.of())),
                1,
                0,
                0,
                new SimulationResult.Scans(0, 0, 0, 0),
                new long[Distance.all().length],
                new long[Distance.all().length],
                0,
                1,
                1);
    }

    @Test
    void comparesOnlyRowsOfTheSameUnit() {
        ExperimentPlan plan = ExperimentPlan.of(MIXED, TestLab.CATALOGUE);
        ExperimentResult result = new ExperimentRun(ResultTableTest::mixed, 1).run(plan, 1, done -> {});
        assertThat(result.rows())
                .extracting(row -> row.metric() + " " + row.values().mean() + " " + result.ratio(row))
                .containsExactlyInAnyOrder(
                        "transactions/s 100.0 1.0", "us/op 5.0 1.0", "transactions/s 110.0 1.1", "us/op 4.0 0.8");
        assertThat(ResultTable.lines(result))
                .contains("values: transactions/s, us/op")
                .anySatisfy(line -> assertThat(line).matches(".*hog.* 5\\.000 +us/op +0\\.00% +1\\.000 .*"))
                .anySatisfy(line -> assertThat(line).matches(".*hog.* 4\\.000 +us/op +0\\.00% +0\\.800 .*"));
    }

    /** Hops of the formula: 3864 ns on one CPU (rate 129399), 4871 + 71 - 300 ns = 4642 (107712) on siblings: 74141.88 is 45 % less. */
    @Test
    void showsRatioErrorAndWhetherAPredictionHolds() {
        List<String> lines = lines("");
        assertThat(lines)
                .anySatisfy(
                        line -> assertThat(line).matches("3->3 .* 1\\.000 +129394\\.55 +[+-]0\\.0% +cal +25\\.0% .*"))
                .anySatisfy(line -> assertThat(line)
                        .matches("3->7 .* 0\\.83\\d +74141\\.88 +\\+45\\.\\d% +FAIL .*smt, stays 100%"));
    }

    @Test
    void namesTheCalibratedRowsAndTheFailedPredictionsInOneLine() {
        assertThat(lines(""))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("Calibrated: 3->3 (residual up to 0.0 %). Predictions: 1, worst +45.")
                        .contains("FAILED: 3->7 +45."));
    }

    @Test
    void saysWhereNothingIsJudged() {
        assertThat(lines("settings: [{name: other, judged: false}]\n"))
                .anySatisfy(line -> assertThat(line).isEqualTo("other (shown beside; not judged)"))
                .anySatisfy(line -> assertThat(line).endsWith("Predictions: none."));
    }

    @Test
    void keepsLinesShortButTheOneOfJudgement() {
        assertThat(lines("notes: [\"" + "long words ".repeat(40) + "\"]\n"))
                .filteredOn(line -> !line.startsWith("Calibrated"))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(140));
    }

    @Test
    void wrapsTheLastColumnUnderItself() {
        TextTable table = new TextTable(List.of("name", "text"), true);
        table.add(List.of("x", "word ".repeat(60)));
        assertThat(table.lines()).hasSize(4);
        assertThat(table.lines().get(2)).startsWith("      word word");
    }
}
