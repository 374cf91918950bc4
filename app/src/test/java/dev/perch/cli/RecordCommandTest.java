package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perch.child.ChildJvm;
import dev.perch.cli.CommandLineTest.Outcome;
import dev.perch.host.record.Recorder;
import dev.perch.host.record.RecordingWay;
import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.trace.EventKind;
import dev.perch.trace.Recording;
import dev.perch.trace.RecordingFormat;
import dev.perch.trace.RecordingSummary;
import dev.perch.trace.Recordings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@EnabledOnOs(OS.LINUX)
class RecordCommandTest {
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    @TempDir
    private Path folder;

    private static void assumeRecordingIsAllowed(RecordingWay way) {
        try {
            Recorder.open(way, List.of(), 0).close();
        } catch (InputException e) {
            assumeTrue(false, "recording is not possible here: " + e.getMessage());
        }
    }

    private Outcome record(String... more) {
        String file = folder.resolve("perf.data").toString();
        return CommandLineTest.perch(
                Stream.concat(Stream.of("record", "-o", file), Stream.of(more)).toArray(String[]::new));
    }

    private RecordingSummary read() {
        try (Recording recording = Recordings.open(folder.resolve("perf.data"))) {
            return recording.read(new SchedEvents() {}, new TaskNames());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--for 5 x|--for cannot be",
                "-m 8|-m cannot be '8'; write a size, as in 8M or 512K",
                "-m 2G|-m: a buffer of more than 1G",
                "--via smoke|--via cannot be 'smoke'; write perf or tracefs",
            })
    void refusesWhatItCannotDo(String arguments, String message) {
        assumeTrue(!arguments.contains("2G") || isAllowed(), "recording is not possible here");
        Outcome outcome = record(arguments.split(" "));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).startsWith("perch: ").contains(message).hasLineCount(1);
        assertThat(folder).isEmptyDirectory();
    }

    private static boolean isAllowed() {
        try {
            Recorder.open(null, List.of(), 0).close();
            return true;
        } catch (InputException e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void recordsForATimeAndSaysWhatItTook(RecordingWay way) {
        assumeRecordingIsAllowed(way);
        Outcome outcome = record("--via", way.word(), "--for", "100ms");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.err())
                .containsPattern("recorded [0-9,]+ events of [0-9]+ CPUs in 0\\.[1-9][0-9]* s .* into a " + way.format()
                        + " of .*CPU time");
        assertThat(read().count(EventKind.SWITCH)).isPositive();
        assertThat(read().format() == RecordingFormat.TRACE_DAT).isEqualTo(way == RecordingWay.TRACEFS);
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheExitCodeOfTheCommandAndRecordsAllOfIt(RecordingWay way) {
        assumeRecordingIsAllowed(way);
        Outcome outcome = record("--via", way.word(), "--", "sh", "-c", "sleep 0.05; exit 7");
        assertThat(outcome.exitCode()).isEqualTo(7);
        assertThat(read().count(EventKind.EXEC)).isGreaterThanOrEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void aCommandThatCannotBeRunLeavesNothingBehind(RecordingWay way) {
        assumeRecordingIsAllowed(way);
        Outcome outcome = record("--via", way.word(), "--", "/no/such/program");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).isEqualTo("perch: cannot run '/no/such/program': No such file or directory\n");
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedRecordingIsCompleteAndItsCommandIsGone(RecordingWay way)
            throws IOException, InterruptedException {
        assumeRecordingIsAllowed(way);
        Path file = folder.resolve("perf.data");
        Process process =
                ChildJvm.start(Main.class, "record", "--via", way.word(), "-o", file.toString(), "--", "sleep", "1000");
        ProcessHandle sleep = child(process);
        new ProcessBuilder("kill", "-TERM", Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(128 + 15);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(err).contains("recorded ");
        assertThat(sleep.isAlive()).isFalse();
        assertThat(read().count(EventKind.SWITCH)).isPositive();
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
        assertThat(Path.of("/sys/kernel/tracing/instances/perch-" + process.pid()))
                .doesNotExist();
    }

    /** Root without the right to perf events, as in a container. */
    @Test
    void takesTracefsWherePerfEventsAreRefusedAndSaysSo() throws IOException, InterruptedException {
        assumeRecordingIsAllowed(RecordingWay.PERF);
        assumeRecordingIsAllowed(RecordingWay.TRACEFS);
        assumeTrue(Files.isExecutable(SETPRIV), "there is no " + SETPRIV);
        String paranoid = Files.readString(Path.of("/proc/sys/kernel/perf_event_paranoid"));
        assumeTrue(Integer.parseInt(paranoid.strip()) > -1, "anybody may use perf events here");
        Path file = folder.resolve("perf.data");
        Outcome outcome = withoutPerfEvents("record", "-o", file.toString(), "--for", "100ms");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.err().lines().findFirst().orElse(""))
                .startsWith("perf events are refused, so " + file + " becomes a trace.dat through tracefs: ")
                .contains("perf_event_paranoid");
        assertThat(read().format()).isEqualTo(RecordingFormat.TRACE_DAT);

        Outcome refused = withoutPerfEvents("record", "--via", "perf", "-o", file + "2", "--for", "100ms");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err())
                .contains("perf_event_paranoid")
                .contains("trace-cmd record")
                .hasLineCount(1);
        assertThat(Path.of(file + "2")).doesNotExist();
    }

    private static Outcome withoutPerfEvents(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                SETPRIV.toString(), "--bounding-set", "-perfmon,-sys_admin", "--inh-caps", "-perfmon,-sys_admin"));
        command.addAll(ChildJvm.command(Main.class, arguments));
        Process process = new ProcessBuilder(command).start();
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Outcome(process.exitValue(), "", err);
    }

    private static ProcessHandle child(Process process) throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            for (ProcessHandle child : process.children().toList()) {
                if (child.info().command().orElse("").endsWith("sleep")) {
                    return child;
                }
            }
            Thread.sleep(100);
        }
        throw new AssertionError("the command was not started: " + process.info());
    }
}
