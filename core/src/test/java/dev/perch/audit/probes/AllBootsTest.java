package dev.perch.audit.probes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.audit.probes.ProbeResult.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All decisions of all boots below the folder that the system property perch.recordings names; prints the table of docs/probes.md. */
@Tag("slow")
class AllBootsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "6.1-A-8cpu-1s4c2t | v6.1.192",
                "6.1-B-4cpu-2s2c1t | v6.1.192",
                "6.1-C-16cpu-2n4c2t-numa | v6.1.192",
                "6.1-D-32cpu-1s32c1t | v6.1.192",
                "6.1-F-8cpu-1s4c2t-features | " + Boots.FEATURES_OFF,
                "6.12-A-8cpu-1s4c2t | v6.12.117",
                "6.12-B-4cpu-2s2c1t | v6.12.117"
            })
    void theRulesDecideAsTheKernelDid(String boot, String kernel) throws IOException {
        String recordings = System.getProperty("perch.recordings", "");
        Assumptions.assumeFalse(recordings.isEmpty(), "name a folder of recordings: -Dperch.recordings=FOLDER");
        Path folder = Path.of(recordings, boot);
        List<Path> files;
        try (Stream<Path> list = Files.list(folder)) {
            files = list.filter(file -> file.toString().endsWith(".trace.txt.zst"))
                    .sorted()
                    .toList();
        }
        assertThat(files).isNotEmpty();
        ProbeResult result = Boots.check(kernel, folder.resolve("machine"), files);
        print(boot, result);
        Boots.assertTheKernelsOwn(boot, result);
    }

    private static void print(String boot, ProbeResult result) {
        result.tallies()
                .forEach((question, tally) -> System.out.println(String.format(
                        Locale.ROOT,
                        "| %s | %s | %d | %d | %d | %d | %d | %.3f |",
                        boot,
                        question.key(),
                        tally.decisions(),
                        tally.agree(),
                        tally.race(),
                        tally.inputMissing(),
                        tally.disagree(),
                        share(tally))));
    }

    /** Per cent that agree, races taken out. */
    private static double share(Tally tally) {
        long settled = tally.decisions() - tally.race();
        return settled == 0 ? 0 : 100.0 * tally.agree() / settled;
    }
}
