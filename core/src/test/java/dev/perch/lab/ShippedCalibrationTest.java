package dev.perch.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.machines.Machines;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import dev.perch.sim.Simulation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The constants that machine files call calibrated are those that calibration finds. */
class ShippedCalibrationTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    private static final Catalogue FILES = new Catalogue() {
        @Override
        public Machine machine(String name) {
            return Machines.find(name, HOME);
        }

        @Override
        public Kernel kernel(String expression) {
            return Kernels.resolve(expression, HOME);
        }
    };

    /** Some ten seconds of computing each. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"westmere-pinned-matrix", "core2-pinned-matrix", "pipe-pinned-and-free", "governor-tbench"})
    void findsTheConstantsOfTheMachineFiles(String name) {
        findsThem(name);
    }

    /** Many minutes of computing each. */
    @Tag("calibration")
    @ParameterizedTest
    @ValueSource(strings = {"cluster-scan", "clear-target-tbench"})
    void findsTheConstantsOfMachinesWithManyCpus(String name) {
        findsThem(name);
    }

    private static void findsThem(String name) {
        ExperimentPlan plan = ExperimentPlan.of(Experiments.find(name, HOME), FILES);
        ExperimentRun run =
                new ExperimentRun(Simulation::run, Runtime.getRuntime().availableProcessors());
        List<Calibration.Found> found = new Calibration(run, plan, 1, done -> {}).find();
        assertThat(found)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.value())
                        .as("%s of %s", each.constant().path(), each.machine())
                        .isEqualTo(each.stored()));
    }

    @Test
    void everyConstantThatAnExperimentCalibratesSaysSoInItsMachineFile() {
        List<String> wrong = new ArrayList<>();
        for (String name : Experiments.names(HOME)) {
            ExperimentPlan plan = ExperimentPlan.of(Experiments.find(name, HOME), FILES);
            for (Experiment.CalibrationStep step : plan.experiment().calibration()) {
                for (ExperimentRow row : plan.rows()) {
                    if (row.reading().judged() && step.row().matches(row.key())) {
                        step.shares().keySet().stream()
                                .filter(path -> !isCalibratedIn(row.machine(), path, name))
                                .forEach(path -> wrong.add(row.machine().name() + " " + path));
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** The origin stands at the number, or at the entry around it. */
    private static boolean isCalibratedIn(Machine machine, String path, String experiment) {
        Origin origin = machine.origins().get(path);
        if (origin == null) {
            origin = machine.origins().get(path.substring(0, path.lastIndexOf('.')));
        }
        return origin != null
                && origin.kind() == Origin.Kind.CALIBRATED
                && origin.text().contains(experiment);
    }
}
