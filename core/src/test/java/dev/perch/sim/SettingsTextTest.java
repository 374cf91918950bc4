package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.perch.kernel.cpuidle.IdleGovernor;
import dev.perch.model.InputException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTextTest {
    @Test
    void changesOneSettingAndLeavesTheOthers() {
        Settings changed = SettingsText.with(Settings.DEFAULT, "governor=performance");
        assertThat(changed)
                .isEqualTo(new Settings(
                        Settings.Governor.PERFORMANCE,
                        true,
                        true,
                        Settings.IdleRoutine.MWAIT,
                        Integer.MAX_VALUE,
                        250,
                        200,
                        20));
    }

    @Test
    void knowsEveryKey() {
        Settings settings = Settings.DEFAULT;
        for (String assignment : new String[] {
            "governor=performance",
            "turbo=off",
            "nohz=off",
            "idle=halt",
            "max_cstate=1",
            "hz=1000",
            "housekeeping=0",
            "noise=5"
        }) {
            settings = SettingsText.with(settings, assignment);
        }
        assertThat(settings)
                .isEqualTo(new Settings(
                        Settings.Governor.PERFORMANCE, false, false, Settings.IdleRoutine.HALT, 1, 1000, 0, 5));
        assertThat(SettingsText.toMap(settings))
                .containsExactly(
                        Map.entry("governor", "performance"),
                        Map.entry("turbo", "off"),
                        Map.entry("nohz", "off"),
                        Map.entry("idle", "halt"),
                        Map.entry("idle_governor", "default"),
                        Map.entry("max_cstate", "1"),
                        Map.entry("hz", "1000"),
                        Map.entry("autogroup", "off"),
                        Map.entry("housekeeping", "0"),
                        Map.entry("noise", "5"));
    }

    @Test
    void takesTunablesOfGovernorsAndTheIdleGovernor() {
        Settings settings = Settings.DEFAULT;
        for (String assignment : new String[] {
            "governor=conservative", "freq_step=10", "up_threshold=70", "idle_governor=teo", "max_cstate=0"
        }) {
            settings = SettingsText.with(settings, assignment);
        }
        assertThat(settings.governor()).isEqualTo(Settings.Governor.CONSERVATIVE);
        assertThat(settings.tunables())
                .containsExactly(Map.entry(GovernorTunable.UP_THRESHOLD, 70), Map.entry(GovernorTunable.FREQ_STEP, 10));
        assertThat(settings.idleGovernor()).contains(IdleGovernor.Kind.TEO);
        assertThat(SettingsText.describe(settings))
                .isEqualTo("governor=conservative turbo=on nohz=on idle=mwait idle_governor=teo max_cstate=0 "
                        + "up_threshold=70 freq_step=10");
        Settings again = Settings.DEFAULT;
        for (Map.Entry<String, String> entry : SettingsText.toMap(settings).entrySet()) {
            again = SettingsText.with(again, entry.getKey(), entry.getValue());
        }
        assertThat(again).isEqualTo(settings);
    }

    @Test
    void readsBackWhatItWrites() {
        Settings settings = Settings.DEFAULT;
        for (Map.Entry<String, String> entry :
                SettingsText.toMap(Settings.DEFAULT).entrySet()) {
            settings = SettingsText.with(settings, entry.getKey(), entry.getValue());
        }
        assertThat(settings).isEqualTo(Settings.DEFAULT);
    }

    @Test
    void describesTheBootAndOnlyWhatElseDiffersFromTheDefault() {
        assertThat(SettingsText.describe(Settings.DEFAULT)).isEqualTo("governor=ondemand turbo=on nohz=on idle=mwait");
        assertThat(SettingsText.describe(SettingsText.with(Settings.DEFAULT, "hz=100")))
                .isEqualTo("governor=ondemand turbo=on nohz=on idle=mwait hz=100");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "governer=performance | unknown setting 'governer'; did you mean 'governor'?",
                "governor=perfomance  | did you mean 'performance'?",
                "governor=interactive | known are performance, powersave, userspace, ondemand, conservative, schedutil",
                "idle_governor=haltpoll | known are default, menu, teo, ladder",
                "up_threshold=10      | from 11 to 100",
                "powersave_bias=1001  | from 0 to 1000",
                "turbo=yes            | known are on, off",
                "hz=99                | setting hz cannot be '99'",
                "noise=201            | from 0 to 200",
                "noise=-1             | from 0 to 200",
                "max_cstate=10        | from 0 to 9",
                "housekeeping=many    | from 0 to 100000",
                "turbo                | has no value; write KEY=VALUE",
            })
    void refusesWithAHint(String assignment, String message) {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> SettingsText.with(Settings.DEFAULT, assignment))
                .withMessageContaining(message);
    }
}
