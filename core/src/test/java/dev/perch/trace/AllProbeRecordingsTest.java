package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.TaskNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads all kprobe recordings below the folder that the system property perch.recordings names. */
@Tag("slow")
class AllProbeRecordingsTest {
    /** {@code | pipe1 | 5024 | 4997 | 7 | …}: sched_waking, placements of wakeups, of fork and exec, as the recorder counted them. */
    private static final Pattern ROW = Pattern.compile("\\| (\\S+) \\| \\d+ \\| (\\d+) \\| (\\d+) \\|.*");

    @Test
    void findsEveryDecisionThatTheRecorderCounted() throws IOException {
        String folder = System.getProperty("perch.recordings", "");
        Assumptions.assumeFalse(folder.isEmpty(), "name a folder of recordings: -Dperch.recordings=FOLDER");
        List<Path> boots;
        try (Stream<Path> walk = Files.list(Path.of(folder))) {
            boots = walk.filter(boot -> boot.getFileName().toString().matches("6\\.(1|12)-[A-F]-.*"))
                    .sorted()
                    .toList();
        }
        assertThat(boots).isNotEmpty();
        int recordings = 0;
        for (Path boot : boots) {
            for (String line : Files.readAllLines(boot.resolve("README.md"))) {
                Matcher row = ROW.matcher(line);
                if (!row.matches()) {
                    continue;
                }
                Path file = boot.resolve(row.group(1) + ".trace.txt.zst");
                if (Files.exists(file)) {
                    long[] counts = new long[2];
                    ProbeSummary summary =
                            ProbeRecordings.read(file, new TaskNames(), d -> counts[d.isWakeup() ? 0 : 1]++);
                    assertThat(summary.defects().all()).as(file.toString()).isEmpty();
                    assertThat(summary.incomplete()).as(file.toString()).isZero();
                    assertThat(counts[0]).as(file + ", wakeups").isEqualTo(Long.parseLong(row.group(2)));
                    assertThat(counts[1]).as(file + ", fork and exec").isEqualTo(Long.parseLong(row.group(3)));
                    recordings++;
                }
            }
        }
        assertThat(recordings).isPositive();
    }
}
