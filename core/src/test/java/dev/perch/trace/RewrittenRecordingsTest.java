package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.export.FtraceExport;
import dev.perch.model.TaskNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings of real machines, written in another form and read again, have the same events. */
class RewrittenRecordingsTest {
    private static final Path RECORDINGS = Path.of("src/test/resources/recordings");

    @TempDir
    private Path folder;

    private static List<String> events(Path file) {
        EventLog log = new EventLog();
        try (Recording recording = Recordings.open(file)) {
            recording.read(log, new TaskNames());
        }
        return BinaryReading.inOrder(log.lines());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "6.1-pipe.v6.trace.dat.zst",
                "6.1-pipe.v7.trace-cmd.txt.zst",
                "6.12-hackbench.perf.data.zst",
                "6.18-mutex.perf-script.txt.zst",
                "6.18-compressed.perf.data.zst"
            })
    void haveTheSameEvents(String name) throws IOException {
        Path original = RECORDINGS.resolve(name);
        Path text = folder.resolve("x.txt");
        Path dat = folder.resolve("x.dat");
        try (Recording recording = Recordings.open(original)) {
            FtraceExport.text(recording, name, text);
        }
        try (Recording recording = Recordings.open(original)) {
            FtraceExport.traceDat(recording, dat);
        }
        List<String> expected = events(original);
        assertThat(expected).hasSizeGreaterThan(100);
        // A context that the original does not tell is a task's in a trace.dat, which has to say one.
        assertThat(events(text)).isEqualTo(expected);
        assertThat(events(dat)).isEqualTo(withTaskContext(expected));
    }

    private static List<String> withTaskContext(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceFirst("^((?:waking|wakeup|wakeup_new) ns=\\d+ cpu=\\d+ -?\\d+) 4 ", "$1 0 "))
                .toList();
    }
}
