package dev.perch.host.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracefsInstanceTest {
    @TempDir
    private Path folder;

    @Test
    void whatKilledProcessesHaveLeftIsRemovedAndNothingElse() throws IOException {
        Path instances = Files.createDirectory(folder.resolve("instances"));
        for (String name : new String[] {"perch-12", "perch-34", "perch-x", "trace-cmd"}) {
            Files.createDirectory(instances.resolve(name));
        }
        Path proc = folder.resolve("proc");
        Files.createDirectories(proc.resolve("34"));
        TracefsInstance.removeLeftovers(instances, proc);
        try (var left = Files.list(instances)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("perch-34", "perch-x", "trace-cmd");
        }
    }

    /** The text is that of a kernel 6.18 (kernel/trace/trace.c, tracing_stats_read). */
    @Test
    void lossesOfAllKindsAreAdded() {
        String statistics = """
                entries: 0
                overrun: 23
                commit overrun: 4
                bytes: 56
                oldest event ts:  2005.994564
                now ts:  2006.010371
                dropped events: 500
                read events: 57665
                """;
        assertThat(TracefsInstance.counts(statistics)).isEqualTo(new TracefsInstance.Counts(57665, 527));
    }
}
