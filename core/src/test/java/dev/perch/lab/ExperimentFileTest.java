package dev.perch.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.perch.lab.Experiment.Block;
import dev.perch.lab.Experiment.CalibrationStep;
import dev.perch.lab.Experiment.Choice;
import dev.perch.lab.Experiment.Published;
import dev.perch.lab.Experiment.Reading;
import dev.perch.lab.Experiment.Role;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.sim.Settings;
import dev.perch.sim.SettingsText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExperimentFileTest {
    private static final String SMALL = """
            name: small
            title: A small one
            machines: [e5620]
            kernels: [v3.2]
            workloads: [tcp-rr]
            """;

    @Test
    void fillsInTheDefaults() {
        Experiment experiment = ExperimentFile.parse("x.yaml", SMALL);
        assertThat(experiment.repeats()).isEqualTo(10);
        assertThat(experiment.durationNs()).isEqualTo(1_000_000_000);
        assertThat(experiment.warmupNs()).isEqualTo(300_000_000);
        assertThat(experiment.blocks())
                .containsExactly(new Block(
                        "",
                        List.of(new Choice("e5620", "e5620")),
                        List.of(new Choice("v3.2", "v3.2")),
                        List.of(new Choice("tcp-rr", "tcp-rr")),
                        List.of(new Reading("", Settings.DEFAULT, true)),
                        CpuMask.empty(),
                        CpuMask.empty(),
                        List.of()));
    }

    @Test
    void readsEverythingElse() {
        Experiment experiment = ExperimentFile.parse("x.yaml", """
                name: full
                title: All keys
                source: somewhere
                metric: transactions/s
                repeats: 3
                duration: 500 ms
                warmup: 0
                machines: [{name: box, machine: e5620}]
                kernels: [v3.2]
                set: {turbo: off}
                cpuset: 1-3,5-7
                notes: [one, two]
                blocks:
                  - title: pinned
                    workloads: [{name: 3->3, workload: "tcp-rr:pin=3/3"}, {name: 3->1, workload: "tcp-rr:pin=3/1"}]
                    settings:
                      - {name: first, set: {governor: performance}}
                      - {name: second, judged: false}
                    published:
                      - {workload: 3->3, value: 2, runs: [1, 3], role: calibration}
                      - {workload: 3->1, value: 5, role: prediction, tolerance: 0.1}
                  - workloads: [tcp-rr]
                    taskset: 1,2
                    set: {hz: 100}
                calibrate:
                  - {constant: costs.idle-exit.core, row: {workload: 3->3}, start: 7}
                  - shares: {costs.tick-stop.core: 1, costs.tick-restart.core: 2}
                    row: {workload: 3->3}
                    start: 9
                  - {constant: transfer.package, row: {workload: 3->3}, start: 130.5}
                """);
        Settings base = SettingsText.with(Settings.DEFAULT, "turbo=off");
        Block first = experiment.blocks().getFirst();
        Block second = experiment.blocks().getLast();
        assertThat(experiment.durationNs()).isEqualTo(500_000_000);
        assertThat(experiment.warmupNs()).isZero();
        assertThat(experiment.notes()).containsExactly("one", "two");
        assertThat(first.title()).isEqualTo("pinned");
        assertThat(first.machines()).containsExactly(new Choice("box", "e5620"));
        assertThat(first.cpuset()).isEqualTo(CpuMask.parse("1-3,5-7"));
        assertThat(first.readings())
                .containsExactly(
                        new Reading("first", SettingsText.with(base, "governor=performance"), true),
                        new Reading("second", base, false));
        assertThat(first.published())
                .containsExactly(
                        new Published(new RowKey("", "", "3->3"), 2, List.of(1.0, 3.0), Role.CALIBRATION, 0),
                        new Published(new RowKey("", "", "3->1"), 5, List.of(), Role.PREDICTION, 0.1));
        assertThat(second.taskset()).isEqualTo(CpuMask.of(1, 2));
        assertThat(second.readings()).containsExactly(new Reading("", SettingsText.with(base, "hz=100"), true));
        assertThat(experiment.calibration())
                .containsExactly(
                        new CalibrationStep(Map.of("costs.idle-exit.core", 1), new RowKey("", "", "3->3"), 7),
                        new CalibrationStep(
                                Map.of("costs.tick-stop.core", 1, "costs.tick-restart.core", 2),
                                new RowKey("", "", "3->3"),
                                9),
                        new CalibrationStep(Map.of("transfer.package", 1), new RowKey("", "", "3->3"), 1_305));
    }

    @Test
    void readsTheExampleOfTheDocumentation() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("perch.home"), "docs/experiment-file.md"));
        int start = page.indexOf("```yaml\n") + "```yaml\n".length();
        String example = page.substring(start, page.indexOf("```", start));
        Experiment experiment = ExperimentFile.parse("experiment-file.md", example);
        assertThat(experiment.blocks()).hasSize(2);
        assertThat(experiment.calibration()).hasSize(2);
        assertThat(experiment.blocks().getLast().readings())
                .allMatch(reading -> reading.settings().governor() == Settings.Governor.ONDEMAND);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "repeats: 0                     | repeats is 0, but must be at least 1 (x.yaml:6)",
                "repeats: many                  | repeats must be a whole number",
                "duration: -1 s                 | duration cannot be '-1 s'; write a time, as in 1 s or 300 ms (x.yaml:6)",
                "duration: 0                    | above 0",
                "machine: [a]                   | unknown key 'machine'",
                "cpuset: \"\"                   | cpuset is empty (x.yaml:6); name CPUs",
                "cpuset: 3-1                    | runs backwards",
                "set: {turbo: maybe}            | setting turbo cannot be 'maybe'",
                "set: {turbos: on}              | unknown setting 'turbos'; did you mean 'turbo'? (x.yaml:6)",
                "settings: [{set: {turbo: on}}] | missing key 'name'",
                "published: [{value: 0}]        | must be above 0",
                "published: [{value: 1, role: guess}]          | cannot be 'guess'",
                "published: [{value: 1, role: prediction}]     | a prediction needs a tolerance",
                "published: [{value: 1, tolerance: 5}]         | a tolerance is a fraction",
                "published: [{value: 5, runs: [1, 2]}]         | value 5.0 is not the mean of its runs, 1.5",
                "published: [{value: 1, kernel: v3.3}]         | no kernel is called 'v3.3' here",
                "calibrate: [{constant: costs.idle-exti.core, row: {}, start: 1}] | did you mean 'idle-exit'? (x.yaml:6)",
                "calibrate: [{constant: costs.idle-exit, row: {}, start: 1}]      | names no constant",
                "calibrate: [{constant: smt.busy, row: {}, start: -1}]            | start must be from 0",
                "calibrate: [{shares: {smt.busy: 1, costs.pick.core: 1}, row: {}, start: 1}] | different units",
                "title: again                   | key 'title' twice",
                "x: [                           | broken YAML",
            })
    void refusesWithTheLine(String line, String message) {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> ExperimentFile.parse("x.yaml", SMALL + line + "\n"))
                .withMessageContaining(message)
                .withMessageContaining("x.yaml:")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "workloads: [tcp-rr] | workloads: [tcp-rr*0] | workload 'tcp-rr*0' has the count '0'",
                "kernels: [v3.2]     | kernels: []           | kernels is empty",
                "kernels: [v3.2]     | kernels: [v3.2, v3.2] | 'v3.2' stands twice in kernels",
                "kernels: [v3.2]     | \"\"                  | missing key 'kernels'",
                "machines: [e5620]   | machines: e5620       | machines must be a list",
            })
    void refusesBadAxes(String from, String to, String message) {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> ExperimentFile.parse("x.yaml", SMALL.replace(from, to)))
                .withMessageContaining(message);
    }
}
