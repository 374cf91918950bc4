package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.model.Topology;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Recordings of real kernels: every event equals what the tool that recorded it prints.
 *
 * <p>The texts beside the recordings are the output of {@code perf script --ns -F tid,cpu,time,event,trace} (perf 6.1) and
 * {@code trace-cmd report -t} (trace-cmd 3.1.6). The trace.dat files are the beginning of a longer recording without its symbol table.
 */
class RecordedFilesTest {
    @ParameterizedTest
    @ValueSource(strings = {"6.1-pipe-bound", "6.12-hackbench", "6.18-mutex", "6.18-piped"})
    void perfDataEqualsWhatPerfScriptPrints(String name) throws IOException {
        check(name + ".perf.data.zst", name + ".perf-script.txt.zst", RecordingFormat.PERF_DATA);
    }

    /** {@code perf script --show-lost-events} prints two losses, of 929 and 826. */
    @Test
    void compressedPerfDataEqualsWhatPerfScriptPrintsLossesToo() throws IOException {
        ToolText.Log log = new ToolText.Log();
        RecordingSummary summary = read("6.18-compressed.perf.data.zst", log);
        assertThat(log.lines()).isEqualTo(expected("6.18-compressed.perf-script.txt.zst"));
        assertThat(summary.lost()).isEqualTo(929 + 826);
        assertThat(summary.defects().all()).hasSize(1);
        assertThat(summary.defects().count(DefectKind.EVENTS_LOST)).isEqualTo(929 + 826);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1-pipe.v6", "6.1-pipe.v7"})
    void traceDatEqualsWhatTraceCmdReportPrints(String name) throws IOException {
        check(name + ".trace.dat.zst", name + ".trace-cmd.txt.zst", RecordingFormat.TRACE_DAT);
    }

    private static void check(String recording, String text, RecordingFormat format) throws IOException {
        ToolText.Log log = new ToolText.Log();
        RecordingSummary summary = read(recording, log);
        List<String> expected = expected(text);
        assertThat(summary.format()).isEqualTo(format);
        assertThat(summary.defects().all()).isEmpty();
        assertThat(log.lines()).isEqualTo(expected);
        assertThat(summary.events()).isEqualTo(expected.size());
    }

    private static List<String> expected(String text) throws IOException {
        try (InputStream in = new ZstdInputStream(resource(text))) {
            return ToolText.lines(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static RecordingSummary read(String recording, SchedEvents sink) {
        try (Recording opened = Recordings.open(resource(recording), recording)) {
            return opened.read(sink, new TaskNames());
        }
    }

    private static InputStream resource(String name) {
        return Objects.requireNonNull(RecordedFilesTest.class.getResourceAsStream("/recordings/" + name), name);
    }

    /** As {@code perf report --header-only -I} prints it for these files. */
    @Test
    void perfDataTellsTheTopology() {
        Topology smt = Objects.requireNonNull(
                read("6.1-pipe-bound.perf.data.zst", new SchedEvents() {}).topology());
        assertThat(smt.cores()).hasToString("[0-1, 2-3, 4-5, 6-7]");
        assertThat(smt.llcs()).hasToString("[0-7]");
        assertThat(smt.packages()).hasToString("[0-7]");
        assertThat(smt.hasClusters()).isFalse();
        Topology sockets = Objects.requireNonNull(
                read("6.12-hackbench.perf.data.zst", new SchedEvents() {}).topology());
        assertThat(sockets.cores()).hasToString("[0, 1, 2, 3]");
        assertThat(sockets.llcs()).hasToString("[0-1, 2-3]");
        assertThat(sockets.packages()).hasToString("[0-1, 2-3]");
        assertThat(sockets.nodes()).hasToString("[0-3]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1-pipe-bound", "6.12-hackbench", "6.18-piped"})
    void perfDataTellsTheTopologyBeforeItIsRead(String name) {
        try (Recording opened = Recordings.open(resource(name + ".perf.data.zst"), name)) {
            Topology early = opened.head().topology();
            ToolText.Log log = new ToolText.Log();
            Topology late = opened.read(log, new TaskNames()).topology();
            assertThat(early == null).isEqualTo(late == null);
            if (early != null && late != null) {
                assertThat(early.cores()).isEqualTo(late.cores());
                assertThat(early.llcs()).isEqualTo(late.llcs());
                assertThat(early.packages()).isEqualTo(late.packages());
                assertThat(early.nodes()).isEqualTo(late.nodes());
            }
            assertThat(log.lines()).isNotEmpty();
        }
    }

    @Test
    void theKernelReleaseIsTold() {
        assertThat(read("6.12-hackbench.perf.data.zst", new SchedEvents() {}).kernelRelease())
                .isEqualTo("6.12.117+deb12-amd64");
        assertThat(read("6.1-pipe.v7.trace.dat.zst", new SchedEvents() {}).kernelRelease())
                .isEqualTo("6.1.0-56-amd64");
        assertThat(read("6.1-pipe.v6.trace.dat.zst", new SchedEvents() {})
                        .clock()
                        .name())
                .isEqualTo("mono");
    }

    @Test
    void sleepStatesOfTheRecordingAreThere() {
        boolean[] seen = new boolean[TaskState.values().length];
        read("6.1-pipe.v7.trace.dat.zst", new SchedEvents() {
            @Override
            public void switched(
                    long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
                seen[prevState.ordinal()] = true;
            }
        });
        assertThat(seen[TaskState.IDLE.ordinal()]).isTrue();
        assertThat(seen[TaskState.SLEEPING.ordinal()]).isTrue();
        assertThat(seen[TaskState.UNKNOWN.ordinal()]).isFalse();
    }
}
