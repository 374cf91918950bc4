package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perch.model.TaskNames;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every binary recording below the folder {@code -Dperch.recordings=DIR}, compared event by event with the text that lies beside it:
 * {@code X.perf.data} with {@code X.script-ns.txt} or {@code X.script.txt}, {@code X.trace.dat} with {@code X.report.txt}, all of them as
 * they are or with {@code .zst}.
 */
@Tag("slow")
class AllBinaryRecordingsTest {
    @Test
    void everyRecordingEqualsTheTextBesideIt() throws IOException {
        String folder = System.getProperty("perch.recordings");
        assumeTrue(folder != null, "no folder given with -Dperch.recordings=DIR");
        int compared = 0;
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            for (Path file : files.sorted().toList()) {
                compared += check(file) ? 1 : 0;
            }
        }
        assertThat(compared).isPositive();
    }

    private static boolean check(Path file) throws IOException {
        String name = file.getFileName().toString().replaceFirst("\\.zst$", "");
        boolean perf = name.endsWith(".perf.data");
        if (!perf && !name.endsWith(".trace.dat")) {
            return false;
        }
        String stem = name.replaceFirst("\\.(perf\\.data|trace\\.dat)$", "");
        Path exact = perf ? beside(file, stem + ".script-ns.txt") : null;
        Path text = exact != null ? exact : beside(file, stem + (perf ? ".script.txt" : ".report.txt"));
        if (text == null) {
            return false;
        }
        // perf cuts microseconds off, trace-cmd rounds to them.
        ToolText.Log log = exact != null ? new ToolText.Log() : new ToolText.Log(1000, perf ? 0 : 500);
        try (Recording recording = Recordings.open(file)) {
            RecordingSummary summary = recording.read(log, new TaskNames());
            assertThat(summary.defects().all()).as(file.toString()).isEmpty();
        }
        List<String> expected = ToolText.lines(content(text));
        assertThat(counts(log.lines())).as(file.toString()).isEqualTo(counts(expected));
        assertThat(log.lines()).as(file.toString()).isEqualTo(expected);
        return true;
    }

    private static @Nullable Path beside(Path file, String name) {
        for (String ending : List.of("", ".zst")) {
            Path path = file.resolveSibling(name + ending);
            if (Files.exists(path)) {
                return path;
            }
        }
        return null;
    }

    private static String content(Path text) throws IOException {
        try (InputStream in = Files.newInputStream(text);
                InputStream plain = text.toString().endsWith(".zst") ? new ZstdInputStream(in) : in) {
            return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Map<String, Long> counts(List<String> lines) {
        Map<String, Long> counts = new TreeMap<>();
        for (String line : new ArrayList<>(lines)) {
            counts.merge(line.split(" ")[2], 1L, Long::sum);
        }
        return counts;
    }
}
