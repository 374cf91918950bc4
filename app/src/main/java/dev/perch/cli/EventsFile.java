package dev.perch.cli;

import dev.perch.lab.ExperimentPlan;
import dev.perch.lab.ExperimentRow;
import dev.perch.lab.RandomSeeds;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.TaskNames;
import dev.perch.sim.Simulation;
import dev.perch.sim.SimulationSpec;
import dev.perch.trace.FtraceText;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The events of a simulated run as a recording: ftrace text that {@code perch audit} and other readers of such text take.
 *
 * <p>It is the first repeat of the only row, run once more with a listener; equal specs give equal events.
 */
final class EventsFile {
    private final Path file;

    /**
     * @throws InputException the plan has several rows, or the file cannot be named so
     */
    EventsFile(String name, ExperimentPlan plan) {
        if (plan.rows().size() != 1) {
            throw new InputException("--events writes the run of one row, but there are "
                    + plan.rows().size()
                    + "; choose one machine, kernel, workload and setting by hand, as in --workload tcp-rr "
                    + "--machine e5620 --kernel v3.2");
        }
        try {
            file = Path.of(name);
        } catch (InvalidPathException e) {
            throw new InputException("--events: '" + name + "' is not a file name: " + e.getReason(), e);
        }
        if (Files.isDirectory(file)) {
            throw new InputException("--events: " + file + " is a folder; name a file");
        }
    }

    /** Runs and writes, from the beginning of the warm-up on. */
    void write(ExperimentPlan plan, long randomSeed) {
        try (OutputStream out = Files.newOutputStream(file)) {
            write(plan, plan.rows().getFirst(), randomSeed, out);
        } catch (IOException | UncheckedIOException e) {
            throw new IllegalStateException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Runs the first repeat of a row and writes its events.
     *
     * @param out is closed
     * @throws UncheckedIOException {@code out} fails
     */
    static void write(ExperimentPlan plan, ExperimentRow row, long randomSeed, OutputStream out) throws IOException {
        String about = row.workloadText() + " on " + row.machine().name() + " under "
                + row.kernel().name() + ", random seed " + randomSeed;
        TaskNames names = new TaskNames();
        SimulationSpec spec = row.spec(
                RandomSeeds.of(randomSeed, row.index(), 0),
                plan.experiment().warmupNs(),
                plan.experiment().durationNs());
        Map<Integer, CpuMask> affinities = Simulation.affinities(spec);
        try (FtraceText text = new FtraceText(out, names, about, affinities, spec.cpuset())) {
            Simulation.run(spec, text, names);
        }
    }
}
