package dev.perch.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.perch.lab.Experiment.Role;
import dev.perch.model.Distance;
import dev.perch.model.InputException;
import dev.perch.sim.SimulationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentRunTest {
    private static final Experiment MATRIX = ExperimentFile.parse("matrix.yaml", """
            name: matrix
            title: Three pins
            machines: [e5620]
            kernels: [v3.2-rc1]
            workloads:
              - {name: 3->3, workload: "tcp-rr:pin=3/3"}
              - {name: 3->1, workload: "tcp-rr:pin=3/1"}
              - {name: 3->7, workload: "tcp-rr:pin=3/7"}
            settings:
              - {name: first, set: {turbo: off}}
              - {name: second, judged: false}
            published:
              - {workload: 3->3, value: 129394.55, role: calibration}
              - {workload: 3->7, value: 74141.88, role: prediction, tolerance: 0.1}
            """);

    private static ExperimentPlan plan(Experiment experiment) {
        return ExperimentPlan.of(experiment, TestLab.CATALOGUE);
    }

    @Test
    void plansBlocksMachinesReadingsKernelsWorkloadsInThisOrder() {
        List<ExperimentRow> rows = plan(MATRIX).rows();
        assertThat(rows)
                .extracting(ExperimentRow::label)
                .containsExactly("3->3", "3->1", "3->7", "3->3", "3->1", "3->7");
        assertThat(rows).extracting(ExperimentRow::group).containsExactly(0, 0, 0, 1, 1, 1);
        assertThat(rows).extracting(row -> row.reading().label()).startsWith("first", "first", "first", "second");
    }

    @Test
    void givesRolesOnlyWhereTheReadingIsJudged() {
        assertThat(plan(MATRIX).rows())
                .extracting(ExperimentRow::role)
                .containsExactly(Role.CALIBRATION, null, Role.PREDICTION, null, null, null);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void givesTheSameResultsWithAnyNumberOfThreads(int threads) {
        ExperimentResult one = new ExperimentRun(TestLab::formula, 1).run(plan(MATRIX), 5, done -> {});
        ExperimentResult many = new ExperimentRun(TestLab::formula, threads).run(plan(MATRIX), 5, done -> {});
        assertThat(digests(many)).isEqualTo(digests(one));
        assertThat(ResultTable.lines(many)).isEqualTo(ResultTable.lines(one));
    }

    @Test
    void drawsAnotherSeedForEveryRunAndFollowsTheRandomSeed() {
        List<Long> digests = digests(new ExperimentRun(TestLab::formula, 2).run(plan(MATRIX), 5, done -> {}));
        assertThat(digests).hasSize(60).doesNotHaveDuplicates();
        assertThat(digests(new ExperimentRun(TestLab::formula, 2).run(plan(MATRIX), 6, done -> {})))
                .doesNotContainAnyElementsOf(digests);
    }

    private static List<Long> digests(ExperimentResult result) {
        List<Long> digests = new ArrayList<>();
        result.rows().forEach(row -> row.runs().forEach(run -> digests.add(run.digest())));
        return digests;
    }

    @Test
    void reportsProgressOncePerRun() {
        Set<Integer> done = ConcurrentHashMap.newKeySet();
        new ExperimentRun(TestLab::formula, 3).run(plan(MATRIX), 1, done::add);
        assertThat(done).hasSize(60).contains(1, 60);
    }

    @Test
    void summarisesARow() {
        RowResult row = new ExperimentRun(TestLab::formula, 1)
                .run(plan(MATRIX), 1, done -> {})
                .rows()
                .get(1);
        assertThat(row.values().values()).hasSize(10);
        assertThat(row.metric()).isEqualTo("transactions/s");
        assertThat(row.bounceRate()).isBetween(0.24, 0.26);
        assertThat(row.distanceShare(Distance.LLC)).isEqualTo(1);
        assertThat(row.stateShares()).containsExactly(Map.entry("llc, stays", 1.0));
    }

    @Test
    void takesTheMeanOverThePairsOfARun() {
        SimulationResult run = new SimulationResult(
                List.of(
                        new SimulationResult.Instance("tcp-rr", 1, 100, "transactions/s", "smt, stays", List.of()),
                        new SimulationResult.Instance("hog", 1, 5, "", "", List.of()),
                        new SimulationResult.Instance("tcp-rr", 1, 110, "transactions/s", "llc, moves", List.of())),
                10,
                0,
                0,
                new SimulationResult.Scans(0, 0, 0, 0),
                new long[7],
                new long[7],
                0,
                0,
                0);
        Experiment experiment = ExperimentFile.parse(
                "x.yaml",
                "name: x\ntitle: x\nrepeats: 1\nmachines: [e5620]\nkernels: [v3.2]\nworkloads: [tcp-rr*2+hog]\n");
        RowResult row = new ExperimentRun(spec -> run, 1)
                .run(plan(experiment), 1, done -> {})
                .rows()
                .getFirst();
        assertThat(row.values().mean()).isEqualTo(105);
        assertThat(row.instanceCount()).isEqualTo(2);
        assertThat(row.instanceSpread()).isEqualTo(10.0 / 105);
        assertThat(row.stateShares())
                .containsExactlyInAnyOrder(Map.entry("smt, stays", 0.5), Map.entry("llc, moves", 0.5));
    }

    @Test
    void passesOnWhatARunRefuses() {
        ExperimentRun run = new ExperimentRun(
                spec -> {
                    throw new InputException("cannot run this");
                },
                2);
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> run.run(plan(MATRIX), 1, done -> {}))
                .withMessage("cannot run this");
    }

    @ParameterizedTest
    @CsvSource({"cpuset: 1-9, cpuset 1-9", "taskset: 8, taskset 8", "'cpuset: 0-1\ntaskset: 2-3', taskset 2-3"})
    void refusesCpusThatCannotBeUsed(String line, String mask) {
        Experiment experiment = ExperimentFile.parse(
                "x.yaml", "name: x\ntitle: x\nmachines: [e5620]\nkernels: [v3.2]\nworkloads: [tcp-rr]\n" + line + "\n");
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> plan(experiment))
                .withMessageContaining(mask);
    }
}
