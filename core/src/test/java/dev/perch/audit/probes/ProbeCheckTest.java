package dev.perch.audit.probes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of 6.1.192 and 6.12.117 against what these kernels decided: about a thousand decisions of each of five boots. */
class ProbeCheckTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "6.1-A-8cpu-1s4c2t | v6.1.192",
                "6.1-B-4cpu-2s2c1t | v6.1.192",
                "6.1-C-16cpu-2n4c2t-numa | v6.1.192",
                "6.1-F-8cpu-1s4c2t-features | " + Boots.FEATURES_OFF,
                "6.12-A-8cpu-1s4c2t | v6.12.117"
            })
    void theRulesDecideAsTheKernelDid(String boot, String kernel) throws URISyntaxException {
        ProbeResult result = Boots.check(
                kernel,
                resource("/recordings/" + boot + "/machine/topology.txt"),
                List.of(resource("/probes/" + boot + ".trace.txt.zst")));
        Boots.assertTheKernelsOwn(boot, result);
        assertThat(result.tally(Question.IDLE_SEARCH).decisions()).isGreaterThan(500);
    }

    /** What tells two kernels apart is found: the 6.1 of the recording scans by SIS_UTIL's limit, and most of hackbench's wakeups meet it. */
    @ParameterizedTest
    @CsvSource({"v5.15", "'v6.1.192,NO_SIS_UTIL'", "v4.9"})
    void otherRulesDoNot(String kernel) throws URISyntaxException {
        String boot = "6.1-A-8cpu-1s4c2t";
        ProbeResult result = Boots.check(
                kernel,
                resource("/recordings/" + boot + "/machine/topology.txt"),
                List.of(resource("/probes/" + boot + ".trace.txt.zst")));
        assertThat(result.tally(Question.IDLE_SEARCH).disagree()).isPositive();
        assertThat(result.first()).isNotEmpty();
    }

    private static Path resource(String name) throws URISyntaxException {
        URL found = Objects.requireNonNull(ProbeCheckTest.class.getResource(name), name);
        return Path.of(found.toURI());
    }
}
