package dev.perch.cli;

import dev.perch.host.record.Recorder;
import dev.perch.host.record.RecordingNote;
import dev.perch.host.record.RecordingWay;
import dev.perch.model.InputException;
import dev.perch.model.Times;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perch record}: what the scheduler of this machine does, into a file. */
@Command(
        name = "record",
        description = "Record what the scheduler of this machine does, on all CPUs, into a perf.data or trace.dat.",
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

    /** After Ctrl-C: a trace.dat of many gigabytes is put together at the end. */
    private static final long PATIENCE_S = 600;

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

    @Option(
            names = "--via",
            paramLabel = "WAY",
            description =
                    "perf (a perf.data) or tracefs (a trace.dat); perf if nothing is said, tracefs where that is refused.")
    private @Nullable String via;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "What to run and record; put -- before it.")
    private List<String> command = new ArrayList<>();

    RecordCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (duration != null && !command.isEmpty()) {
            throw new InputException(
                    "--for cannot be used with a command, whose end ends the recording; leave one out");
        }
        long durationNs = duration == null ? Long.MAX_VALUE : Times.parse("--for", duration, false);
        long ringBytes = ring == null ? 0 : size(ring);
        RecordingWay way = via == null ? null : way(via);
        return OutputFile.write("-o", output, unfinished -> record(unfinished, way, durationNs, ringBytes));
    }

    private int record(Path file, @Nullable RecordingWay wanted, long durationNs, long bufferBytes) throws IOException {
        // A recording that is interrupted while it is being prepared ends as soon as it has begun: the kernel's parts
        // are then given back.
        CompletableFuture<Recorder> prepared = new CompletableFuture<>();
        Runnable stop = () -> {
            CompletableFuture<Void> _ = prepared.thenAccept(Recorder::stop);
        };
        try (Interruption interruption = new Interruption(stop, PATIENCE_S);
                Recorder recorder = Recorder.open(wanted, added, bufferBytes);
                RecordedProcess process = new RecordedProcess(command, recorder::stop)) {
            prepared.complete(recorder);
            if (!recorder.refusal().isEmpty()) {
                surroundings
                        .err()
                        .println("perf events are refused, so " + output + " becomes a trace.dat through tracefs: "
                                + recorder.refusal());
            }
            RecordingNote note = new RecordingNote(PerchCommand.Version.text(), commandLine());
            Recorder.Outcome outcome = recorder.record(file, durationNs, note, () -> begin(process));
            process.check();
            report(recorder, outcome);
            return interruption.isRequested() ? Interruption.EXIT_CODE : process.exitCode();
        }
    }

    private static RecordingWay way(String word) {
        return Stream.of(RecordingWay.values())
                .filter(way -> way.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new InputException("--via cannot be '" + word + "'; write perf or tracefs"));
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

    private void report(Recorder recorder, Recorder.Outcome outcome) {
        double seconds = outcome.recordedNs() / 1e9;
        double overhead = 100.0 * outcome.cpuNs() / outcome.recordedNs() / outcome.cpus();
        surroundings
                .err()
                .println(String.format(
                        Locale.ROOT,
                        "recorded %,d events of %d CPUs in %.2f s (%,.0f/s) into a %s of %.1f MB; the recorder took %.2f s of CPU time (%.1f %% of all CPUs)",
                        outcome.events(),
                        outcome.cpus(),
                        seconds,
                        outcome.events() / seconds,
                        recorder.way().format(),
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
                            outcome.bufferBytes() >> 10,
                            Math.max(1, outcome.bufferBytes() >> 18)));
        }
        if (!recorder.knowsCaches()) {
            surroundings
                    .err()
                    .println(
                            "this machine does not tell its caches, so the file has no topology;"
                                    + " audit it with --machine FILE, or here with --machine host, which assumes one LLC a package");
        }
        if (!outcome.missing().isEmpty()) {
            surroundings
                    .err()
                    .println("this kernel does not have " + String.join(", ", outcome.missing())
                            + "; what that takes from the verdicts: docs/recordings.md");
        }
    }
}
