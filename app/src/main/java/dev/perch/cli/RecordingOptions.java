package dev.perch.cli;

import dev.perch.audit.AuditOptions;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.trace.Recording;
import dev.perch.trace.RecordingHead;
import dev.perch.trace.Recordings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a user can tell about a recording beside its file: the machine it was made on, and where tasks may run. */
final class RecordingOptions {
    static final String STANDARD_INPUT = "-";

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

    /** For a recording whose machine is known, unless the user names another. */
    void machineUnlessGiven(String name) {
        if (machineName == null) {
            machineName = name;
        }
    }

    /** Opens the recording and finds the machine that the user names. */
    RecordingInput.Opened open(String file, Surroundings surroundings) {
        Machine machine = machineName == null
                ? null
                : Machines.find(machineName, surroundings.home().get());
        Recording recording = file.equals(STANDARD_INPUT)
                ? Recordings.open(System.in, "standard input")
                : Recordings.open(Path.of(file));
        try {
            RecordingHead head = recording.head();
            return new RecordingInput.Opened(
                    recording, head, machine == null ? head.topology() : machine.topology(), machine);
        } catch (RuntimeException e) {
            recording.close();
            throw e;
        }
    }

    /**
     * The machine that the user names, for a recording of which nothing else is asked.
     *
     * @throws InputException without {@code --machine}, or with {@code --affinity}
     */
    Machine requireMachine(Surroundings surroundings) {
        if (machineName == null) {
            throw new InputException(
                    "missing --machine=MACHINE; with --probes, name the recorded machine, such as the recording's folder machine/");
        }
        if (!affinity.isEmpty()) {
            throw new InputException("--affinity has no use with --probes, which print every affinity; leave it out");
        }
        return Machines.find(machineName, surroundings.home().get());
    }

    /** Options for an audit of all of the recording. */
    AuditOptions audit(RecordingInput.Opened opened) {
        Map<Integer, CpuMask> affinities = new HashMap<>(opened.head().affinities());
        affinities.putAll(givenAffinities());
        return AuditOptions.of(opened.topology())
                .withModel(opened.machine() == null ? null : opened.machine().model())
                .withMachineName(opened.machineName())
                .withAffinity(affinities);
    }

    private Map<Integer, CpuMask> givenAffinities() {
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
}
