package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.Kernels;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.sim.workload.WorkloadExpression;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Under SIS_UTIL the last balance says how many CPUs a search may look at; a run begins on a machine whose last balance saw no load. */
class FirstScansTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    @ParameterizedTest
    @ValueSource(strings = {"v6.0", "v6.6", "v6.12"})
    void searchesOfTheFirstMillisecondMayLookAtTheIdleCache(String version) {
        SimulationResult result = Simulation.run(new SimulationSpec(
                Machines.find("kunpeng-920", HOME),
                Kernels.resolve(version, HOME),
                WorkloadExpression.parse("tcp-rr*4"),
                Settings.DEFAULT,
                CpuMask.empty(),
                CpuMask.parse("0-31"),
                1,
                0,
                1_000_000));
        assertThat(result.scans().made()).isPositive();
        assertThat(result.scans().overBudget()).isZero();
    }
}
