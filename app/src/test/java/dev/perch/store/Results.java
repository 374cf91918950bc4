package dev.perch.store;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.lab.Catalogue;
import dev.perch.lab.ExperimentPlan;
import dev.perch.lab.ExperimentResult;
import dev.perch.lab.ExperimentRun;
import dev.perch.lab.Overrides;
import dev.perch.lab.RowResult;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.Machine;
import dev.perch.sim.Simulation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Results of short simulations: a pipe under two kernels. */
final class Results {
    static final Path HOME = Path.of(System.getProperty("perch.home"));

    private Results() {}

    static ExperimentResult of(int repeats) {
        return of(repeats, List.of("pipe"));
    }

    static ExperimentResult of(int repeats, List<String> workloads) {
        Overrides overrides = new Overrides(
                List.of("e5620"),
                List.of("v3.2", "v3.9"),
                workloads,
                List.of("governor=performance"),
                Optional.of(CpuMask.parse("1-3")),
                Optional.empty(),
                OptionalInt.of(repeats),
                OptionalLong.of(2_000_000),
                OptionalLong.of(0));
        ExperimentPlan plan = ExperimentPlan.of(overrides.byHand(), new Catalogue() {
            @Override
            public Machine machine(String name) {
                return Machines.find(name, HOME);
            }

            @Override
            public Kernel kernel(String expression) {
                return Kernels.resolve(expression, HOME);
            }
        });
        return new ExperimentRun(Simulation::run, 1).run(plan, 7, done -> {});
    }

    /** The result as it is if one repeat of the first row had not been finished. */
    static ExperimentResult without(ExperimentResult result, int repeat) {
        RowResult first = result.rows().getFirst();
        List<Integer> repeats = new ArrayList<>(first.repeats());
        var runs = new ArrayList<>(first.runs());
        repeats.remove(/* index */ repeat);
        runs.remove(repeat);
        List<RowResult> rows = new ArrayList<>(result.rows());
        rows.set(0, new RowResult(first.row(), runs, repeats));
        return new ExperimentResult(result.plan(), result.randomSeed(), rows, result.wallNs());
    }
}
