package dev.perch.cli;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditOptions;
import dev.perch.audit.AuditOptions.Moment;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.Topology;
import dev.perch.trace.Defects;
import dev.perch.trace.Recording;
import dev.perch.trace.RecordingFormat;
import dev.perch.trace.RecordingSummary;
import dev.perch.trace.Recordings;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The recording that a verb reads, and the machine it was made on: the options that {@code audit}, {@code explain} and {@code verify} share. */
final class RecordingInput {
    private static final String STANDARD_INPUT = "-";
    private static final int PROGRESS_STEP = 1 << 12;

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description =
                    "A recording: perf.data, trace.dat, ftrace, perf script or trace-cmd report text, a Perfetto trace; also"
                            + " compressed (gzip, zstd). '-' is standard input.")
    private String file = "";

    @Option(
            names = "--machine",
            paramLabel = "MACHINE",
            description =
                    "Where it was recorded: a name (perch list machines), a file, a /sys folder, hwloc XML, or 'host'."
                            + " Without it, what the recording itself tells.")
    private @Nullable String machineName;

    @Option(
            names = "--affinity",
            paramLabel = "PID=LIST",
            description = "CPUs that a task may use, as in 4711=0-3. May be given again.")
    private List<String> affinity = new ArrayList<>();

    /**
     * What is known of a recording before it is audited.
     *
     * @param simulated whether a simulation wrote it
     */
    record Known(@Nullable Topology topology, @Nullable Machine machine, boolean simulated) {
        String machineName() {
            return machine == null ? (topology == null ? "" : "as recorded") : machine.name();
        }
    }

    String file() {
        return file;
    }

    /**
     * The machine that the user names, or what a first look at the recording tells.
     *
     * @param lookFirst whether the recording is to be looked at even if the user names a machine
     */
    Known known(Surroundings surroundings, boolean lookFirst) {
        Machine machine = machineName == null
                ? null
                : Machines.find(machineName, surroundings.home().get());
        Topology topology = machine == null ? null : machine.topology();
        boolean simulated = false;
        if (!file.equals(STANDARD_INPUT)) {
            try (Recording recording = open()) {
                if (lookFirst || machine == null && recording.format() == RecordingFormat.PERF_DATA) {
                    RecordingSummary summary = recording.read(new SchedEvents() {}, new TaskNames());
                    topology = topology == null ? summary.topology() : topology;
                    simulated = summary.simulated();
                }
            }
        }
        return new Known(topology, machine, simulated);
    }

    /** Options for an audit of all of the recording. */
    AuditOptions options(Known known) {
        return AuditOptions.of(known.topology())
                .withModel(known.machine() == null ? null : known.machine().model())
                .withMachineName(known.machineName())
                .withAffinity(affinities());
    }

    /** Reads the whole recording into an audit, showing progress. */
    RecordingSummary read(Audit audit, TaskNames names, Surroundings surroundings) {
        Progress progress = new Progress(surroundings, "wakeups", 0);
        int[] done = new int[1];
        audit.addConsumer(wakeup -> {
            if (++done[0] % PROGRESS_STEP == 0) {
                progress.show(done[0]);
            }
        });
        try (Recording recording = open()) {
            return recording.read(audit.events(), names);
        } finally {
            progress.clear();
        }
    }

    private Recording open() {
        return file.equals(STANDARD_INPUT)
                ? Recordings.open(System.in, "standard input")
                : Recordings.open(Path.of(file));
    }

    private Map<Integer, CpuMask> affinities() {
        Map<Integer, CpuMask> masks = new HashMap<>();
        for (String one : affinity) {
            int equals = one.indexOf('=');
            String pid = equals < 0 ? "" : one.substring(0, equals).strip();
            if (!pid.matches("[0-9]{1,9}")) {
                throw new InputException("--affinity cannot be '" + one + "'; write PID=LIST, as in 4711=0-3");
            }
            masks.put(Integer.parseInt(pid), RunCommand.cpus("--affinity", one.substring(equals + 1)));
        }
        return masks;
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
