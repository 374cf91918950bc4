package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads all text recordings below the folder that the system property perch.recordings names. */
@Tag("slow")
class AllRecordingsTest {
    private static final Pattern MARK =
            Pattern.compile(".*\\.(trace|ftrace|report|report-raw|script|script-ns)\\.txt(\\.zst)?");
    private static final Pattern ENTRIES = Pattern.compile("entries-in-buffer/entries-written: (\\d+)/");

    @Test
    void readsAllWithoutADefect() throws IOException {
        String folder = System.getProperty("perch.recordings", "");
        Assumptions.assumeFalse(folder.isEmpty(), "name a folder of recordings: -Dperch.recordings=FOLDER");
        List<Path> files;
        try (Stream<Path> walk = Files.walk(Path.of(folder))) {
            files = walk.filter(file -> MARK.matcher(file.toString()).matches())
                    .sorted()
                    .toList();
        }
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            try (Recording recording = Recordings.open(file)) {
                RecordingSummary summary = recording.read(new SchedEvents() {}, new TaskNames());
                assertThat(summary.defects().all())
                        .as(file.toString())
                        .extracting(Defects.Defect::kind)
                        .isSubsetOf(DefectKind.ASSUMED_STATE_NUMBERS);
                long skipped = summary.skipped().values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
                Matcher entries = ENTRIES.matcher(beginning(file));
                if (entries.find()) {
                    assertThat(summary.events() + skipped)
                            .as(file.toString())
                            .isEqualTo(Long.parseLong(entries.group(1)));
                }
            }
        }
    }

    /** What the kernel says in the first lines: how many records it printed. */
    private static String beginning(Path file) {
        try (RecordingSource source = RecordingSource.of(file)) {
            byte[] head = source.head();
            return new String(head, 0, Math.min(head.length, 400), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
