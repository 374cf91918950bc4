package dev.perch.host.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.machines.MachineText;
import dev.perch.machines.Machines;
import dev.perch.model.Machine;
import dev.perch.sim.Settings;
import dev.perch.sim.SettingsText;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole way from readings to predictions, on hosts that are simulated themselves, so that the right answer is known. */
class HostFitTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    @Test
    void boundPairsAreReachedAndFreePairsForetold() {
        fitAndForetell("q6600", "e5620", "v5.16", "mwait");
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"e5620, xeon-8275cl, v3.8, mwait", "e5620, q6600, v6.1, mwait", "q6600, epyc-7r13, v3.2, halt"})
    void boundPairsAreReachedAndFreePairsForetoldOnManyHosts(String real, String nearest, String version, String idle) {
        fitAndForetell(real, nearest, version, idle);
    }

    private static void fitAndForetell(String real, String nearest, String version, String idle) {
        SimulatedHost host = new SimulatedHost(Machines.find(real, HOME), kernel(version), settings(idle));
        HostReadings readings = host.readings();

        HostFit.Result result = fit(host, readings, nearest);

        assertThat(result.rows().size()).isGreaterThanOrEqualTo(6);
        for (HostFit.FittedRow row : result.rows()) {
            // a crossing cannot be shorter than none, wherever the work of a message lies
            assertThat(row.residual())
                    .as(row.row().workload() + " by " + row.number().title())
                    .isCloseTo(0, within(0.1));
        }
        for (String workload : List.of("pipe", "tcp-rr", "socketpair")) {
            double measured = host.microseconds(workload);
            double foretold =
                    host.pairs().microseconds(result.machine(), workload).median();
            assertThat(foretold / measured).as(workload).isCloseTo(1, within(0.25));
        }
    }

    @Test
    void theSameReadingsGiveTheSameFile() {
        SimulatedHost host = new SimulatedHost(Machines.find("q6600", HOME), kernel("v3.2"), settings("mwait"));
        HostReadings readings = host.readings();
        String once = MachineText.yaml(fit(host, readings, "e5620").machine(), List.of());
        String again = MachineText.yaml(fit(host, readings, "e5620").machine(), List.of());
        assertThat(again)
                .isEqualTo(once)
                .contains("calibrated: pipe bound to 3/3 on this machine")
                .contains("calibrated: tcp-rr bound to 3/2 on this machine");
    }

    private static HostFit.Result fit(SimulatedHost host, HostReadings readings, String nearest) {
        Machine measured = MeasuredMachine.of(readings, Machines.find(nearest, HOME));
        return new HostFit(readings, host.pairs(), () -> false, done -> {}).find(measured);
    }

    private static Kernel kernel(String version) {
        return Kernels.resolve(version, HOME);
    }

    private static Settings settings(String idle) {
        Settings settings = Settings.DEFAULT;
        for (String assignment : List.of("idle=" + idle, "governor=performance", "turbo=off", "max_cstate=1")) {
            settings = SettingsText.with(settings, assignment);
        }
        return settings;
    }
}
