package dev.perch.lab.elsewhere;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.lab.results.Comparison;
import dev.perch.lab.results.MmtestsTable;
import dev.perch.lab.results.ResultSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our tables against what mmtests itself prints of the same folders, character by character. */
class MmtestsTableTest {
    private static final String BASELINE = "5.16.0-rc1-vanilla";
    private static final String PATCHED = "5.16.0-rc1-clear-target";

    private static Comparison comparison(String benchmark) {
        List<ResultSet> sets = List.of(BASELINE, PATCHED).stream()
                .map(name -> read(name, benchmark))
                .toList();
        return Comparison.of(sets, Set.of());
    }

    private static ResultSet read(String name, String benchmark) {
        Path logs = TestFiles.of("mmtests")
                .resolve(name)
                .resolve("iter-0")
                .resolve(benchmark)
                .resolve("logs");
        return new ForeignResults("", true).read(name, List.of(logs));
    }

    private static List<String> expected(String benchmark) throws IOException {
        return Files.readAllLines(TestFiles.of("mmtests/" + benchmark + ".expected"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hackbench-process-pipes", "tbench4", "netperf-tcp-rr"})
    void printsWhatMmtestsPrints(String benchmark) throws IOException {
        assertThat(MmtestsTable.lines(comparison(benchmark), MmtestsTable.Form.FULL))
                .isEqualTo(expected(benchmark));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hackbench-process-pipes", "tbench4", "netperf-tcp-rr"})
    void shortensToTheMeans(String benchmark) throws IOException {
        List<String> means = expected(benchmark).stream()
                .filter(line -> line.startsWith(" ") || line.startsWith("Amean") || line.startsWith("Hmean"))
                .toList();
        assertThat(MmtestsTable.lines(comparison(benchmark), MmtestsTable.Form.SHORT))
                .isEqualTo(means);
    }
}
