package dev.perch.host.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perch.host.HostTopology;
import dev.perch.host.bench.LinkKind;
import dev.perch.host.bench.PingPong;
import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.ThisThread;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.trace.Clock;
import dev.perch.trace.DefectKind;
import dev.perch.trace.EventKind;
import dev.perch.trace.Recording;
import dev.perch.trace.RecordingFormat;
import dev.perch.trace.RecordingSummary;
import dev.perch.trace.Recordings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Recordings of this machine, read by ourselves and by perf. Where recording is not allowed, or there is no perf, the reason is told. */
@EnabledOnOs(OS.LINUX)
class RecorderTest {
    private static final long MS = 1_000_000;
    private static final Path PERF = Path.of("/usr/bin/perf");
    private static final Path TRACE_CMD = Path.of("/usr/bin/trace-cmd");
    private static final Map<String, EventKind> KINDS = Map.of(
            "sched_switch", EventKind.SWITCH,
            "sched_waking", EventKind.WAKING,
            "sched_wakeup", EventKind.WAKEUP,
            "sched_wakeup_new", EventKind.WAKEUP_NEW,
            "sched_migrate_task", EventKind.MIGRATE,
            "sched_process_fork", EventKind.FORK,
            "sched_process_exec", EventKind.EXEC,
            "sched_process_exit", EventKind.EXIT,
            "cpu_idle", EventKind.CPU_IDLE);

    @TempDir
    private Path folder;

    private record Recorded(Path file, Recorder.Outcome outcome, PingPong.Run run) {}

    private static Recorder recorder(RecordingWay way, List<String> added) {
        try {
            return Recorder.open(way, added, 0);
        } catch (InputException e) {
            return abort("recording is not possible here: " + e.getMessage());
        }
    }

    /** Two threads on one CPU send each other messages. */
    private static PingPong.Run pingPong(CpuMask one) throws InterruptedException {
        PingPong.Spec spec = new PingPong.Spec(LinkKind.PIPE, one, one, MS, 100 * MS);
        return new PingPong(spec, () -> false).betweenThreads();
    }

    /** That, recorded. */
    private Recorded recordPingPong(RecordingWay way) throws IOException {
        Path file = folder.resolve(way.format());
        CpuMask one = CpuMask.of(ThisThread.affinity().first());
        PingPong.Run[] run = new PingPong.Run[1];
        try (Recorder recorder = recorder(way, List.of())) {
            Recorder.Outcome outcome =
                    recorder.record(file, Long.MAX_VALUE, new RecordingNote("test", List.of("perch", "record")), () -> {
                        try {
                            run[0] = pingPong(one);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        } finally {
                            recorder.stop();
                        }
                    });
            return new Recorded(file, outcome, run[0]);
        }
    }

    private static RecordingSummary read(Path file, SchedEvents sink) {
        try (Recording recording = Recordings.open(file)) {
            return recording.read(sink, new TaskNames());
        }
    }

    private String perf(String... arguments) throws IOException, InterruptedException {
        return output(PERF, arguments);
    }

    private String output(Path program, String... arguments) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(program), "there is no " + program);
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        process.getOutputStream().close();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        assertThat(Files.readString(err)).doesNotContainIgnoringCase("error").doesNotContain("not defined");
        return Files.readString(out);
    }

    /** How often each name stands behind the colon of a group of events. */
    private static Map<String, Long> counted(String script) {
        Map<String, Long> counts = new HashMap<>();
        Matcher event = Pattern.compile("(?m)^.*?\\d+\\.\\d+: +(?:sched|power|ipi|irq_vectors):(\\w+):")
                .matcher(script);
        while (event.find()) {
            counts.merge(event.group(1), 1L, Long::sum);
        }
        return counts;
    }

    @Test
    void perfScriptAndWeReadWhatTheKernelCounted() throws IOException, InterruptedException {
        Recorded recorded = recordPingPong(RecordingWay.PERF);
        RecordingSummary summary = checkSummary(recorded);
        String script = perf("script", "-i", recorded.file().toString());
        assertThat(script.lines()).hasSize((int) recorded.outcome().events());
        Map<String, Long> byPerf = counted(script);
        assertThat(byPerf.values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(recorded.outcome().events());
        checkCounts(summary, byPerf);
    }

    private static RecordingSummary checkSummary(Recorded recorded) throws IOException {
        RecordingSummary summary = read(recorded.file(), new SchedEvents() {});
        assertThat(recorded.outcome().lost()).isEqualTo(summary.lost());
        assertThat(recorded.run().rounds()).isPositive();
        assertThat(summary.count(EventKind.SWITCH))
                .isGreaterThan(2 * recorded.run().rounds());
        assertThat(summary.kernelRelease())
                .isEqualTo(
                        Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip());
        // Some virtual machines do not tell their caches; then nobody knows who shares the LLC.
        assertThat(summary.topology() == null).isEqualTo(host().caches().isEmpty());
        return summary;
    }

    private static HostTopology host() {
        return new HostTopology(Path.of("/sys/devices/system"), Path.of("/proc"));
    }

    private static void checkCounts(RecordingSummary summary, Map<String, Long> byTool) {
        KINDS.forEach(
                (name, kind) -> assertThat(summary.count(kind)).as(name).isEqualTo(byTool.getOrDefault(name, 0L)));
    }

    @Test
    void traceCmdAndWeReadWhatTheKernelCounted() throws IOException, InterruptedException {
        Recorded recorded = recordPingPong(RecordingWay.TRACEFS);
        RecordingSummary summary = checkSummary(recorded);
        assertThat(summary.format()).isEqualTo(RecordingFormat.TRACE_DAT);
        assertThat(summary.clock().unit()).isEqualTo(Clock.Unit.NANOSECONDS);
        long others =
                summary.skipped().values().stream().mapToLong(Long::longValue).sum();
        assertThat(summary.events() + others).isEqualTo(recorded.outcome().events());

        String report = output(TRACE_CMD, "report", recorded.file().toString());
        Map<String, Long> byTraceCmd = new HashMap<>();
        Matcher event = Pattern.compile("(?m)^ *\\S.*? \\[\\d+\\] +\\d+\\.\\d+: (\\w+): ")
                .matcher(report);
        while (event.find()) {
            byTraceCmd.merge(event.group(1), 1L, Long::sum);
        }
        assertThat(byTraceCmd.values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(recorded.outcome().events());
        checkCounts(summary, byTraceCmd);
    }

    @Test
    void aTraceBufferGoesWithItsRecording() throws IOException {
        Path instance = Tracefs.find()
                .folder()
                .resolve("instances/perch-" + ProcessHandle.current().pid());
        recorder(RecordingWay.TRACEFS, List.of()).close();
        assertThat(instance).doesNotExist();
        Path file = folder.resolve("trace.dat");
        try (Recorder recorder = recorder(RecordingWay.TRACEFS, List.of())) {
            assertThat(instance).isDirectory();
            assertThatThrownBy(() -> recorder.record(
                            folder.resolve("no/such/folder"), MS, new RecordingNote("test", List.of()), () -> {}))
                    .isInstanceOf(IOException.class);
        }
        assertThat(instance).doesNotExist();
        assertThat(file).doesNotExist();
    }

    @Test
    void aTraceDatTellsNamesOfTasksThatRanBefore() throws IOException {
        TaskNames names = new TaskNames();
        try (Recording recording =
                Recordings.open(recordPingPong(RecordingWay.TRACEFS).file())) {
            recording.read(new SchedEvents() {}, names);
        }
        Path own = Path.of("/proc/self");
        int pid = (int) ProcessHandle.current().pid();
        assertThat(names.nameOf(pid))
                .isEqualTo(Files.readString(own.resolve("comm")).strip());
    }

    @Test
    void perfSchedSeesTheSameSwitches() throws IOException, InterruptedException {
        Recorded recorded = recordPingPong(RecordingWay.PERF);
        Map<Integer, Long> switchedOut = new HashMap<>();
        Set<Integer> gone = new HashSet<>();
        read(recorded.file(), new SchedEvents() {
            @Override
            public void exited(long ns, int cpu, int pid, int prio) {
                gone.add(pid);
            }

            @Override
            public void switched(
                    long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
                // Of a task that has exited perf knows no number any more.
                if (!gone.contains(prev)) {
                    switchedOut.merge(prev, 1L, Long::sum);
                }
            }
        });
        int busiest = switchedOut.entrySet().stream()
                .filter(entry -> entry.getKey() != 0)
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        assertThat(switchedOut.get(busiest))
                .isGreaterThanOrEqualTo(recorded.run().rounds());
        // timehist has a line for each time that a task leaves its CPU.
        String timehist = perf("sched", "timehist", "-i", recorded.file().toString());
        Pattern task = Pattern.compile("^ +\\d+\\.\\d+ +\\[\\d+\\] .*\\[" + busiest + "[/\\]].*");
        assertThat(timehist.lines().filter(line -> task.matcher(line).matches()).count())
                .isEqualTo(switchedOut.get(busiest));
        assertThat(perf("sched", "latency", "-i", recorded.file().toString())).contains("TOTAL:");
    }

    @ParameterizedTest
    @EnumSource
    void everyKnownTracepointCanBeAdded(RecordingWay way) throws IOException {
        Path file = folder.resolve(way.format());
        try (Recorder recorder = recorder(way, List.of("sched:sched_stat_runtime"))) {
            Recorder.Outcome outcome = recorder.record(file, 50 * MS, new RecordingNote("test", List.of()), () -> {});
            assertThat(outcome.recordedNs()).isGreaterThanOrEqualTo(50 * MS);
            assertThat(outcome.bytes()).isEqualTo(Files.size(file));
        }
        assertThat(read(file, new SchedEvents() {}).count(EventKind.STAT_RUNTIME))
                .isPositive();
        assertThatThrownBy(() -> recorder(way, List.of("sched:nonsense")))
                .satisfiesAnyOf(
                        failure -> assertThat(failure).hasMessageContaining("no tracepoint sched:nonsense"),
                        failure -> assertThat(failure).hasMessageContaining("recording is not possible here: -e"));
    }

    /** So small a ring overflows while we wait: what is lost is told, by us, by the file and by perf. */
    @Test
    void lostEventsAreCounted() throws IOException {
        Path file = folder.resolve("perf.data");
        CpuMask one = CpuMask.of(ThisThread.affinity().first());
        recorder(RecordingWay.PERF, List.of()).close();
        try (PerfEvents events = smallRings()) {
            long lost = 0;
            try (PerfDataFile data = new PerfDataFile(file, events.sources())) {
                events.enableTracepoints();
                pingPong(one);
                events.disable();
                events.drain(data.records());
                lost = events.tellLost(data);
                assertThat(lost).isPositive();
                Tracefs tracefs = Tracefs.find();
                data.finish(PerfFeatureSections.of(
                                tracefs,
                                RecordedEvent.choose(tracefs, List.of()).events(),
                                events.sources(),
                                OpenFiles.pageSize(),
                                new RecordingNote("test", List.of()))
                        .sections());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            RecordingSummary summary = read(file, new SchedEvents() {});
            assertThat(summary.lost()).isEqualTo(lost);
            assertThat(summary.cpus().contains(one.first())).isTrue();
        }
    }

    /** The same with a trace buffer of our own: the statistics of the kernel, which are in the file, tell how many events are missing. */
    @Test
    void lostEventsOfATraceBufferAreCounted() throws IOException, InterruptedException {
        Path file = folder.resolve("trace.dat");
        CpuMask one = CpuMask.of(ThisThread.affinity().first());
        recorder(RecordingWay.TRACEFS, List.of()).close();
        Tracefs tracefs = Tracefs.find();
        List<RecordedEvent> events = RecordedEvent.choose(tracefs, List.of()).events();
        try (TracefsCapture capture = new TracefsCapture(tracefs, events, host().online(), 1 << 16)) {
            capture.begin(file, new RecordingNote("test", List.of()));
            capture.enable();
            pingPong(one);
            capture.disable();
            Capture.Written written = capture.finish();
            assertThat(written.lost()).isPositive();
            RecordingSummary summary = read(file, new SchedEvents() {});
            // the page after a gap says how many events are missing, if it has room for that, else only that some are
            assertThat(summary.lost()).isBetween(1L, written.lost());
            assertThat(summary.defects().count(DefectKind.OVERWRITTEN)).isEqualTo(written.lost());
            long others = summary.skipped().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertThat(summary.events() + others).isEqualTo(written.events());
            assertThat(written.bytes()).isEqualTo(Files.size(file));
        }
    }

    private static PerfEvents smallRings() {
        return PerfEvents.open(
                RecordedEvent.choose(Tracefs.find(), List.of()).events(),
                host().online(),
                OpenFiles.pageSize(),
                1 << 16);
    }
}
