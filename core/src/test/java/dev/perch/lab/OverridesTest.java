package dev.perch.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.perch.lab.Experiment.Choice;
import dev.perch.lab.Experiment.Reading;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.sim.Settings;
import dev.perch.sim.SettingsText;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OverridesTest {
    private static final Experiment EXPERIMENT = ExperimentFile.parse("x.yaml", """
            name: x
            title: x
            machines: [e5620]
            kernels: [{name: old, kernel: v3.2}, {name: new, kernel: v3.9}]
            workloads: [tcp-rr]
            settings:
              - {name: first, set: {governor: ondemand}}
              - {name: second, set: {governor: performance}, judged: false}
            """);

    private static Overrides overrides(List<String> kernels, List<String> settings, Optional<CpuMask> cpuset) {
        return new Overrides(
                List.of(),
                kernels,
                List.of(),
                settings,
                cpuset,
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    @Test
    void changesNothingUnasked() {
        assertThat(overrides(List.of(), List.of(), Optional.empty()).apply(EXPERIMENT))
                .isEqualTo(EXPERIMENT);
    }

    @Test
    void keepsTheLabelOfAKernelThatTheExperimentHas() {
        Experiment changed =
                overrides(List.of("v3.9", "v3.3"), List.of(), Optional.empty()).apply(EXPERIMENT);
        assertThat(changed.blocks().getFirst().kernels())
                .containsExactly(new Choice("new", "v3.9"), new Choice("v3.3", "v3.3"));
    }

    @Test
    void takesTheJudgementFromAReadingWhoseSettingsChange() {
        Experiment changed =
                overrides(List.of(), List.of("turbo=off"), Optional.empty()).apply(EXPERIMENT);
        assertThat(changed.blocks().getFirst().readings())
                .extracting(Reading::judged)
                .containsExactly(false, false);
    }

    @Test
    void showsEqualReadingsOnceAndKeepsTheOneThatWasSoFromTheStart() {
        Experiment changed = overrides(List.of(), List.of("governor=ondemand"), Optional.empty())
                .apply(EXPERIMENT);
        assertThat(changed.blocks().getFirst().readings())
                .containsExactly(new Reading("first", Settings.DEFAULT, true));
        changed = overrides(List.of(), List.of("governor=performance"), Optional.empty())
                .apply(EXPERIMENT);
        assertThat(changed.blocks().getFirst().readings())
                .containsExactly(
                        new Reading("second", SettingsText.with(Settings.DEFAULT, "governor=performance"), false));
    }

    @Test
    void takesTheJudgementFromRowsInAnotherCpuset() {
        Experiment changed =
                overrides(List.of(), List.of(), Optional.of(CpuMask.of(1, 2))).apply(EXPERIMENT);
        assertThat(changed.blocks().getFirst().cpuset()).isEqualTo(CpuMask.of(1, 2));
        assertThat(changed.blocks().getFirst().readings())
                .extracting(Reading::judged)
                .containsOnly(false);
    }

    @Test
    void makesAnExperimentByHand() {
        Experiment experiment = new Overrides(
                        List.of("e5620"),
                        List.of("v3.2", "v3.9"),
                        List.of("tcp-rr"),
                        List.of("turbo=off"),
                        Optional.of(CpuMask.of(1, 2)),
                        Optional.empty(),
                        OptionalInt.of(3),
                        OptionalLong.of(5),
                        OptionalLong.of(0))
                .byHand();
        assertThat(experiment.name()).isEqualTo("by-hand");
        assertThat(experiment.repeats()).isEqualTo(3);
        assertThat(experiment.durationNs()).isEqualTo(5);
        assertThat(experiment.warmupNs()).isZero();
        assertThat(experiment.blocks().getFirst().kernels()).hasSize(2);
    }

    @Test
    void saysWhatIsMissingByHand() {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() ->
                        overrides(List.of("v3.2"), List.of(), Optional.empty()).byHand())
                .withMessageStartingWith("no --workload given");
    }
}
