package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.sim.workload.WorkloadKind.Measure;
import java.util.List;

/** An endless loop in user mode (spec scheduler.md 9.8). */
final class Hog implements Recipe {
    private static final WorkloadKind KIND = new WorkloadKind(
            "hog",
            "a process that computes without end",
            "CPU hogs, as run on linux-kernel in November 2011",
            Measure.RATE,
            "ms/s",
            List.of("pin=A bind it to CPU A"));

    /** Length of one counted piece of its work, nominal ns. */
    private static final int PIECE_NS = 1_000_000;

    @Override
    public WorkloadKind kind() {
        return KIND;
    }

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        site.machine().requireModel();
        Program program =
                new Program.Builder().user(Cost.core(PIECE_NS)).count().jump(0).build();
        builder.addTask("hog", program, options.pins(site, 1)[0], builder.addInstance(KIND));
    }
}
