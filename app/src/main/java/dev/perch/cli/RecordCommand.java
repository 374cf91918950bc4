package dev.perch.cli;

import dev.perch.host.record.Recorder;
import dev.perch.model.InputException;
import dev.perch.model.Times;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perch record}: what the scheduler of this machine does, into a file. */
@Command(
        name = "record",
        description = "Record what the scheduler of this machine does, on all CPUs, into a perf.data.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        sortOptions = false,
        footer = {
            "",
            "Records until COMMAND ends, for the time of --for, or until Ctrl-C. Takes root, or CAP_PERFMON and a",
            "readable tracefs. The file holds switches, wakeups, migrations, forks, idle states, interrupts and the",
            "topology; perf sched and perf script read it too.",
            "Exit code: that of COMMAND, if one was named.",
            "",
            "Examples: perch record -o perf.data --for 10s",
            "          perch record -o perf.data -- make -j8",
            "          perch record -o perf.data -e sched:sched_stat_runtime -m 32M -- ./server"
        })
final class RecordCommand implements Callable<Integer> {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([KMG])");

    private final Surroundings surroundings;

    @Option(names = "-o", required = true, paramLabel = "FILE", description = "What to write.")
    private String output = "";

    @Option(names = "--for", paramLabel = "TIME", description = "How long to record, as in 10s or 500ms.")
    private @Nullable String duration;

    @Option(
            names = "-e",
            paramLabel = "SYSTEM:NAME",
            description = "A tracepoint to record beside the usual ones; may be repeated.")
    private List<String> added = new ArrayList<>();

    @Option(
            names = "-m",
            paramLabel = "SIZE",
            description =
                    "Memory in which each CPU's events wait to be written (16M; less if all CPUs' would be over 512M).")
    private @Nullable String ring;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "What to run and record; put -- before it.")
    private List<String> command = new ArrayList<>();

    RecordCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (duration != null && !command.isEmpty()) {
            throw new InputException(
                    "--for cannot be used with a command, whose end ends the recording; leave one out");
        }
        long durationNs = duration == null ? Long.MAX_VALUE : Times.parse("--for", duration, false);
        long ringBytes = ring == null ? 0 : size(ring);
        Path target = target();
        Path unfinished = target.resolveSibling(target.getFileName() + ".part");
        try (Recorder recorder = Recorder.open(added, ringBytes);
                Interruption interruption = new Interruption(recorder::stop);
                RecordedProcess process = new RecordedProcess(command, recorder::stop)) {
            Recorder.Outcome outcome = recorder.record(
                    unfinished, durationNs, PerchCommand.Version.text(), commandLine(), () -> begin(process));
            process.check();
            Files.move(unfinished, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            report(outcome);
            return interruption.isRequested() ? Interruption.EXIT_CODE : process.exitCode();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + unfinished + ": " + e.getMessage(), e);
        } finally {
            deleteQuietly(unfinished);
        }
    }

    private void begin(RecordedProcess process) {
        if (duration == null && command.isEmpty() && surroundings.terminal()) {
            surroundings.err().println("recording; Ctrl-C ends it");
        }
        process.start();
    }

    private List<String> commandLine() {
        List<String> words = new ArrayList<>(List.of("perch", "record", "-o", output));
        words.addAll(command);
        return words;
    }

    private static long size(String text) {
        Matcher match = SIZE.matcher(text);
        long number = match.matches() ? Long.parseLong(match.group(1)) : 0;
        if (number == 0) {
            throw new InputException("-m cannot be '" + text + "'; write a size, as in 8M or 512K");
        }
        return switch (match.group(2)) {
            case "K" -> number << 10;
            case "M" -> number << 20;
            default -> number << 30;
        };
    }

    private Path target() {
        try {
            Path target = Path.of(output).toAbsolutePath();
            Path folder = target.getParent();
            if (Files.exists(target) && !Files.isRegularFile(target)) {
                throw new InputException("-o: " + output + " is not a file that can be replaced; name another");
            }
            if (folder == null || !Files.isDirectory(folder)) {
                throw new InputException("-o: there is no folder " + folder);
            }
            if (!Files.isWritable(folder)) {
                throw new InputException("-o: you may not write in the folder " + folder);
            }
            return target;
        } catch (InvalidPathException e) {
            throw new InputException("-o: '" + output + "' is not a file name: " + e.getReason(), e);
        }
    }

    private static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // what went wrong before is what counts
        }
    }

    private void report(Recorder.Outcome outcome) {
        double seconds = outcome.recordedNs() / 1e9;
        double overhead = 100.0 * outcome.cpuNs() / outcome.recordedNs() / outcome.cpus();
        surroundings
                .err()
                .println(String.format(
                        Locale.ROOT,
                        "recorded %,d events of %d CPUs in %.2f s (%,.0f/s), %.1f MB; the recorder took %.2f s of CPU time (%.1f %% of all CPUs)",
                        outcome.events(),
                        outcome.cpus(),
                        seconds,
                        outcome.events() / seconds,
                        outcome.bytes() / 1e6,
                        outcome.cpuNs() / 1e9,
                        overhead));
        if (outcome.lost() > 0) {
            surroundings
                    .err()
                    .println(String.format(
                            Locale.ROOT,
                            "%,d events were lost (%.2f %%), since they came faster than they were written; give each CPU more than %d KiB: -m %dM",
                            outcome.lost(),
                            100.0 * outcome.lost() / (outcome.lost() + outcome.events()),
                            outcome.ringBytes() >> 10,
                            Math.max(1, outcome.ringBytes() >> 18)));
        }
        if (!outcome.missing().isEmpty()) {
            surroundings
                    .err()
                    .println("this kernel does not have " + String.join(", ", outcome.missing())
                            + "; what that takes from the verdicts: docs/recordings.md");
        }
    }
}
