package dev.perch.cli;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditOptions;
import dev.perch.audit.AuditOptions.Moment;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.Topology;
import dev.perch.trace.Defects;
import dev.perch.trace.Recording;
import dev.perch.trace.RecordingHead;
import dev.perch.trace.RecordingSummary;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The recording that a verb reads, and the machine it was made on: the options that {@code audit}, {@code explain} and {@code verify} share. */
final class RecordingInput {
    private static final int PROGRESS_STEP = 1 << 12;

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description =
                    "A recording: perf.data, trace.dat, ftrace, perf script or trace-cmd report text, a Perfetto trace; also"
                            + " compressed (gzip, zstd). '-' is standard input.")
    private String file = "";

    @Mixin
    private RecordingOptions options = new RecordingOptions();

    /**
     * A recording that waits to be read, and what is known of it before. Standard input can be read only once, so it stays open between.
     *
     * @param topology of the machine that the user names, or that the recording tells
     */
    record Opened(
            Recording recording,
            RecordingHead head,
            @Nullable Topology topology,
            @Nullable Machine machine) implements AutoCloseable {
        String machineName() {
            return machine == null ? (topology == null ? "" : "as recorded") : machine.name();
        }

        @Override
        public void close() {
            recording.close();
        }
    }

    String file() {
        return file;
    }

    /** What a page calls the recording: the file's name without its folder, which says nothing to other readers. */
    String name() {
        Path name = file.equals(RecordingOptions.STANDARD_INPUT)
                ? null
                : Path.of(file).getFileName();
        return name == null ? "standard input" : name.toString();
    }

    /** Opens the recording and finds the machine that the user names. */
    Opened open(Surroundings surroundings) {
        return options.open(file, surroundings);
    }

    /** As {@link RecordingOptions#requireMachine}. */
    Machine requireMachine(Surroundings surroundings) {
        return options.requireMachine(surroundings);
    }

    /** Options for an audit of all of the recording. */
    AuditOptions options(Opened opened) {
        return options.audit(opened);
    }

    /**
     * CPUs that have their own sched domains: those of the cpuset that the user or the recording names, and the rest; empty if there is none.
     *
     * @param cpuset what the user gives for {@code --cpuset}, or null
     */
    static List<CpuMask> partitions(Opened opened, @Nullable String cpuset) {
        CpuMask inside = cpuset == null ? opened.head().cpuset() : RunCommand.cpus("--cpuset", cpuset);
        Topology topology = opened.topology();
        return inside.isEmpty() || topology == null ? List.of() : partitions(inside, topology, opened.machineName());
    }

    /** As {@link #partitions(Opened, String)} for a machine alone; all its CPUs if there is no cpuset. */
    static List<CpuMask> partitions(Machine machine, @Nullable String cpuset) {
        return cpuset == null
                ? List.of(machine.topology().cpus())
                : partitions(RunCommand.cpus("--cpuset", cpuset), machine.topology(), machine.name());
    }

    private static List<CpuMask> partitions(CpuMask inside, Topology topology, String machineName) {
        if (!topology.cpus().containsAll(inside)) {
            throw new InputException("cpuset " + inside + " names CPUs that machine '" + machineName
                    + "' does not have; it has " + topology.cpus());
        }
        CpuMask rest = topology.cpus().minus(inside);
        return rest.isEmpty() ? List.of(inside) : List.of(inside, rest);
    }

    /** Reads the whole recording into an audit, showing progress. */
    static RecordingSummary read(Opened opened, Audit audit, TaskNames names, Surroundings surroundings) {
        return read(opened, audit, audit.events(), names, surroundings);
    }

    /** As {@link #read(Opened, Audit, TaskNames, Surroundings)}, into {@code events}, which hand on to the audit. */
    static RecordingSummary read(
            Opened opened, Audit audit, SchedEvents events, TaskNames names, Surroundings surroundings) {
        Progress progress = new Progress(surroundings, "wakeups", 0);
        int[] done = new int[1];
        audit.addConsumer(wakeup -> {
            if (++done[0] % PROGRESS_STEP == 0) {
                progress.show(done[0]);
            }
        });
        try {
            return opened.recording().read(events, names);
        } finally {
            progress.clear();
        }
    }

    /**
     * A time as the recording prints it, in seconds; with a plus, since its first event.
     *
     * @throws InputException if it is not a time
     */
    static Moment moment(String option, String text) {
        boolean sinceFirst = text.startsWith("+");
        String digits = sinceFirst ? text.substring(1) : text;
        if (!digits.matches("[0-9]{1,10}(\\.[0-9]{1,9})?")) {
            throw new InputException(
                    option + " cannot be '" + text
                            + "'; write seconds as the recording prints them, as in 3608.855139, or +1.5 for 1.5 s after its first event");
        }
        return new Moment(new BigDecimal(digits).movePointRight(9).longValueExact(), sinceFirst);
    }

    /** The reader's complaints, as rows for JSON. */
    static List<Map<String, Object>> defects(RecordingSummary summary) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Defects.Defect defect : summary.defects().all()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("kind", defect.kind().key());
            row.put("severity", defect.kind().severity().name().toLowerCase(Locale.ROOT));
            row.put("count", defect.count());
            row.put("touches", defect.kind().touches());
            if (defect.firstPlace() >= 0) {
                row.put("firstPlace", defect.firstPlace());
            }
            rows.add(row);
        }
        return rows;
    }
}
