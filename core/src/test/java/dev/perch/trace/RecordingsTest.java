package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import io.airlift.compress.v3.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordingsTest {
    private static final String PLAIN = "6.18-sysbench-mutex.ftrace.txt";
    private static final String ZSTD = "6.18-hackbench-pipe.ftrace.txt.zst";

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static byte[] twice(byte[] bytes) {
        byte[] both = Arrays.copyOf(bytes, bytes.length * 2);
        System.arraycopy(bytes, 0, both, bytes.length, bytes.length);
        return both;
    }

    @Test
    void unwrapsGzip() {
        assertThat(Reads.bytes(gzip(Reads.resource(PLAIN))).count(EventKind.SWITCH))
                .isEqualTo(32);
    }

    @Test
    void unwrapsZstdInsideGzip() {
        assertThat(Reads.bytes(gzip(gzip(Reads.resource(ZSTD)))).count(EventKind.SWITCH))
                .isEqualTo(54);
    }

    @Test
    void framesOneAfterTheOtherAreOneContent() {
        RecordingSummary zstd = Reads.bytes(twice(Reads.resource(ZSTD)));
        // The second copy begins in the first one's past, within the window of the sorter.
        assertThat(zstd.count(EventKind.SWITCH)).isEqualTo(2 * 54);
        assertThat(Reads.bytes(twice(gzip(Reads.resource(PLAIN)))).count(EventKind.SWITCH))
                .isEqualTo(2 * 32);
    }

    @Test
    void gzipCutAnywhereIsADefectAndNoFailure() {
        byte[] whole = gzip(Reads.resource(PLAIN));
        int recognised = 0;
        for (int length = 1; length < whole.length; length += 7) {
            try {
                RecordingSummary summary = Reads.bytes(Arrays.copyOf(whole, length));
                assertThat(summary.defects().count(DefectKind.CUT_OFF_COMPRESSION))
                        .isEqualTo(1);
                recognised++;
            } catch (InputException e) {
                assertThat(e.getMessage()).doesNotContain("\n");
            }
        }
        assertThat(recognised).isGreaterThan(100);
    }

    @Test
    void aLongZstdFrameCutOffGivesWhatCameBefore() throws IOException {
        TaskNames names = new TaskNames();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (FtraceText text = new FtraceText(new ZstdOutputStream(out), names, "a long run")) {
            for (int i = 0; i < 400_000; i++) {
                text.waking(i * 1000L, 1, 7, SchedEvents.IN_TASK, 8, 120, 2);
            }
        }
        RecordingSummary summary = Reads.bytes(Arrays.copyOf(out.toByteArray(), out.size() * 9 / 10));
        assertThat(summary.count(EventKind.WAKING)).isBetween(100_000L, 399_999L);
        assertThat(summary.defects().count(DefectKind.CUT_OFF_COMPRESSION)).isEqualTo(1);
    }

    @Test
    void zstdCutInItsOnlyFrameIsRefusedInOneLine() {
        byte[] frame = Reads.resource(ZSTD);
        assertThatThrownBy(() -> Reads.bytes(Arrays.copyOf(frame, frame.length / 2)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("damaged or cut off")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<!DOCTYPE html><html>systrace|systrace HTML",
                "<html><body>|HTML or XML page",
                "{\"traceEvents\":[{\"ph\":\"X\"}]}|Chrome's JSON",
                "[{\"ph\":\"X\",\"ts\":1}|Chrome's JSON",
                "{\"a\":1}|JSON, not a recording",
                "hello world|no line that is a scheduler event",
                "''|file is empty"
            })
    void saysWhatItLooksLike(String content, String message) {
        assertThatThrownBy(() -> Reads.text(content))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message)
                .hasMessageStartingWith("test: ")
                .hasMessageNotContaining("\n");
    }

    @Test
    void saysThatABinaryFileIsNotKnown() {
        assertThatThrownBy(() -> Reads.bytes(new byte[] {(byte) 0xCA, (byte) 0xFE, 0, 0, 1, 2}))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("binary file of a kind that is not known");
        assertThatThrownBy(() -> Reads.bytes(new byte[] {'P', 'K', 3, 4, 0}))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("zip archive");
    }

    @Test
    void readsAFileAndRefusesADirectory(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("no-suffix");
        Files.write(file, Reads.resource(ZSTD));
        try (Recording recording = Recordings.open(file)) {
            assertThat(recording.format()).isEqualTo(RecordingFormat.FTRACE_TEXT);
            assertThat(recording
                            .read(new SchedEvents() {}, new TaskNames())
                            .cpus()
                            .toString())
                    .isEqualTo("0-1");
        }
        assertThatThrownBy(() -> Recordings.open(folder))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("is a directory");
        assertThatThrownBy(() -> Recordings.open(folder.resolve("missing")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("does not exist");
    }

    @Test
    void aRecordingWithoutSwitchesSaysSo() {
        RecordingSummary summary = Reads.bytes("# tracer: nop\n#\n".getBytes(StandardCharsets.UTF_8));
        assertThat(summary.events()).isZero();
        assertThat(summary.cpus().isEmpty()).isTrue();
        assertThat(summary.defects().count(DefectKind.NO_SCHED_SWITCH)).isEqualTo(1);
    }
}
