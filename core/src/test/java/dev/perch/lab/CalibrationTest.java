package dev.perch.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.perch.model.InputException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalibrationTest {
    private static final String HEAD = """
            name: matrix
            title: Two pins
            machines: [e5620]
            kernels: [v3.2-rc1]
            workloads:
              - {name: 3->3, workload: "tcp-rr:pin=3/3"}
              - {name: 3->1, workload: "tcp-rr:pin=3/1"}
              - {name: 3->7, workload: "tcp-rr:pin=3/7"}
            published:
              - {workload: 3->3, value: 129394.55, role: calibration}
              - {workload: 3->1, value: 92654.92, role: calibration}
              - {workload: 3->7, value: 74141.88, role: prediction, tolerance: 0.1}
            calibrate:
            """;

    private static List<Calibration.Found> find(String steps, int threads) {
        ExperimentPlan plan = ExperimentPlan.of(ExperimentFile.parse("x.yaml", HEAD + steps), TestLab.CATALOGUE);
        return new Calibration(new ExperimentRun(TestLab::formula, threads), plan, 1, done -> {}).find();
    }

    /** A hop of the formula is 1682 + message; 3->1 adds exit + 372 - 300. Hops: 1e9/(2 rate) = 3864.2 and 5396.4. */
    @Test
    void findsEachConstantWithThoseBeforeItInPlace() {
        List<Calibration.Found> found = find("""
                  - {constant: workloads.tcp-rr.message.core, row: {workload: 3->3}, start: 900}
                  - {constant: costs.idle-exit.core, row: {workload: 3->1}, start: 0}
                """, 2);
        assertThat(found)
                .extracting(each -> each.constant().path())
                .containsExactly("workloads.tcp-rr.message.core", "costs.idle-exit.core");
        assertThat(found.getFirst().value()).isCloseTo(2182, within(2));
        assertThat(found.getLast().value()).isCloseTo(1460, within(3));
        assertThat(found).allSatisfy(each -> assertThat(each.residual()).isCloseTo(0, within(0.0005)));
        assertThat(found).extracting(Calibration.Found::stored).containsExactly(2182, 1007);
    }

    @Test
    void doesNotDependOnTheNumberOfThreads() {
        String steps = "  - {constant: costs.idle-exit.core, row: {workload: 3->1}, start: 0}\n";
        assertThat(find(steps, 5)).isEqualTo(find(steps, 1));
    }

    @Test
    void repeatsTheStepsUntilNoneMovesTheOthers() {
        List<Calibration.Found> found = find("""
                  - {constant: costs.idle-exit.core, row: {workload: 3->1}, start: 0}
                  - {constant: workloads.tcp-rr.message.core, row: {workload: 3->3}, start: 900}
                """, 1);
        assertThat(found).allSatisfy(each -> assertThat(each.residual()).isCloseTo(0, within(0.0005)));
    }

    @Test
    void sharesASumInTheStatedProportion() {
        List<Calibration.Found> found = find("""
                  - shares: {costs.idle-exit.core: 3, costs.tick-restart.core: 1}
                    row: {workload: 3->1}
                    start: 400
                """, 1);
        assertThat(found.getFirst().value()).isCloseTo(1460, within(3));
        assertThat(found.getLast().value()).isCloseTo(found.getFirst().value() / 3, within(2));
    }

    @Test
    void findsLatenciesInTenthsOfNanosecondsAndShowsThemAsTheFileDoes() {
        Calibration.Found found = find("  - {constant: transfer.llc, row: {workload: 3->1}, start: 1}\n", 1)
                .getFirst();
        assertThat(found.value()).isCloseTo(825, within(5));
        assertThat(found.constant().text(372)).isEqualTo("37.2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{constant: smt.busy, row: {workload: 3->7}, start: 1}       | of row '3->7' is a prediction, not a calibration input",
                "{constant: smt.busy, row: {}, start: 1}                     | names 3 rows",
                "{constant: costs.pick.core, row: {workload: 3->1}, start: 1}| costs.pick.core cannot bring row '3->1' to 92654.92",
            })
    void refuses(String step, String message) {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> find("  - " + step + "\n", 1))
                .withMessageContaining(message);
    }
}
