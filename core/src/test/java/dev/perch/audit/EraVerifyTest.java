package dev.perch.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.machines.Machines;
import dev.perch.model.TaskNames;
import dev.perch.model.Topology;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rules of later eras asked with the state that the audit rebuilds from an ordinary recording, against what the recorded kernels chose; and
 * the rebuilt inputs against what the probes of the same recordings read in the kernel. Verifying itself never sees the probes' lines.
 */
class EraVerifyTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));
    private static final Pattern NUMBER = Pattern.compile("(\\w+)=(-?\\d+)");

    /** What the probes read of one wakeup. */
    private static final class Read {
        final Map<String, Long> values = new HashMap<>();

        long of(String name) {
            return values.getOrDefault(name, -1L);
        }
    }

    /** What came of one recording. */
    private static final class Found {
        Verify.Result result = new Verify.Result(0, 0, 0, 0, Map.of(), List.of());
        long answers;
        final List<Double> loadErrors = new ArrayList<>();
        int recentKnown;
        int recentRight;
        int flips;
        int flipsRight;

        double share() {
            return 100.0 * result.agree() / result.decisions();
        }

        @Override
        public String toString() {
            return result.decisions() + " decisions: " + result.agree() + " agree, " + result.disagree()
                    + " disagree, unknown " + result.byInput();
        }
    }

    private static Found verify(BufferedReader in, Topology topology, Kernel kernel) throws IOException {
        Found found = new Found();
        TaskNames names = new TaskNames();
        Audit audit = new Audit(AuditOptions.of(topology), names);
        Verify verify = new Verify(audit, kernel, topology, List.of(), false);
        Map<String, Read> reads = new HashMap<>();
        Map<Integer, Read> open = new HashMap<>();
        Map<Integer, String> waking = new HashMap<>();
        audit.addConsumer(wakeup -> {
            Read read = reads.remove(wakeup.ns() + "/" + wakeup.thisCpu() + "/" + wakeup.wakee());
            RuleWalk walk = wakeup.walk;
            if (read != null && walk != null && walk.asked) {
                compare(found, wakeup, walk, read);
            }
        });
        Tap tap = new Tap(audit.events(), true, (ns, cpu, wakee) -> waking.put(cpu, ns + "/" + cpu + "/" + wakee));
        FtraceLines reader = new FtraceLines(tap, names, other -> {
            if (other.event().equals("srq")) {
                open.put(other.cpu(), new Read());
            }
            Read read = open.get(other.cpu());
            if (read == null) {
                return;
            }
            Matcher numbers = NUMBER.matcher(other.body());
            while (numbers.find()) {
                read.values.putIfAbsent(numbers.group(1), Long.parseLong(numbers.group(2)));
            }
            if (other.event().equals("srq_ret")) {
                open.remove(other.cpu());
                String key = waking.get(other.cpu());
                if (key != null && other.body().contains("try_to_wake_up")) {
                    found.answers++;
                    reads.put(key, read);
                }
            }
        });
        reader.read(in);
        found.result = verify.finish();
        return found;
    }

    private static void compare(Found found, Wakeup wakeup, RuleWalk walk, Read read) {
        if (walk.recentCpu >= 0) {
            found.recentKnown++;
            found.recentRight += walk.recentCpu == read.of("recent") ? 1 : 0;
        }
        if (read.of("wakee_flips") >= 0) {
            found.flips++;
            found.flipsRight += Math.abs(walk.wakeeFlips - read.of("wakee_flips")) <= 1 ? 1 : 0;
        }
        long load = read.of("l" + wakeup.prevCpu());
        if (walk.loadsCompared && load > 0) {
            found.loadErrors.add(Math.abs(walk.prevLoad - load) / (double) load);
        }
    }

    private static Topology machine(String boot) {
        try {
            Path folder = Path.of(
                    Objects.requireNonNull(EraVerifyTest.class.getResource("/recordings/" + boot + "/machine"), boot)
                            .toURI());
            return Machines.find(folder.toString(), HOME).topology();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static BufferedReader packed(InputStream in) {
        return new BufferedReader(new InputStreamReader(new ZstdInputStream(in), StandardCharsets.UTF_8));
    }

    private static Found extract(String name, String boot, String kernel) throws IOException {
        InputStream in = Objects.requireNonNull(
                EraVerifyTest.class.getResourceAsStream("/audit/kprobe-" + name + ".trace.txt.zst"), name);
        return verify(packed(in), machine(boot), Kernels.resolve(kernel, HOME));
    }

    /** The numbers of answers are those of the probes (grep -c); a decision that the kernel did not make is one the audit takes for placed. */
    @ParameterizedTest
    @CsvSource({
        "6.1-messaging, 6.1-B-4cpu-2s2c1t, v6.1.192, 1185, 98",
        "6.1-sysbench-mutex, 6.1-A-8cpu-1s4c2t, v6.1.192, 108, 93",
        "6.12-hackbench-pipe, 6.12-B-4cpu-2s2c1t, v6.12.117, 714, 97",
    })
    void theRulesOfTheRecordedKernelChooseAsItDid(String name, String boot, String kernel, int answers, int percent)
            throws IOException {
        Found found = extract(name, boot, kernel);
        assertThat(found.answers).isEqualTo(answers);
        assertThat(found.result.decisions()).isBetween((long) answers, answers + answers / 20L);
        assertThat(found.share()).as(found.toString()).isGreaterThan(percent);
        assertThat(found.result.disagree()).as(found.toString()).isLessThanOrEqualTo(answers / 100);
        assertThat(found.result.agree() + found.result.disagree() + found.result.unknown())
                .isEqualTo(found.result.decisions());
    }

    @Test
    void anOlderErasRulesAgreeLess() throws IOException {
        double own = extract("6.1-messaging", "6.1-B-4cpu-2s2c1t", "v6.1.192").share();
        double other = extract("6.1-messaging", "6.1-B-4cpu-2s2c1t", "v3.9").share();
        assertThat(other).isLessThan(own - 5);
    }

    @Test
    void rebuiltInputsAreThoseThatTheProbesRead() throws IOException {
        Found found = extract("6.12-hackbench-pipe", "6.12-B-4cpu-2s2c1t", "v6.12.117");
        assertThat(found.recentRight).isGreaterThan(95 * found.recentKnown / 100);
        assertThat(found.recentKnown).isGreaterThan(600);
        assertThat(found.flipsRight).isGreaterThan(95 * found.flips / 100);
        double[] errors = found.loadErrors.stream()
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        assertThat(errors).hasSizeGreaterThan(40);
        assertThat(errors[errors.length / 2]).as(Arrays.toString(errors)).isLessThan(0.1);
    }

    /** Every recording with its own kernel's rules; prints the table that docs/audit.md sums up. */
    @Test
    @Tag("slow")
    void theRulesChooseAsTheKernelsOfAllRecordings() throws IOException {
        String folder = System.getProperty("perch.recordings", "");
        assumeThat(folder).as("-Dperch.recordings=DIR").isNotEmpty();
        List<Path> boots;
        try (Stream<Path> list = Files.list(Path.of(folder))) {
            boots = list.filter(boot -> kernelOf(boot).isPresent()).sorted().toList();
        }
        assertThat(boots).isNotEmpty();
        long decisions = 0;
        long agree = 0;
        for (Path boot : boots) {
            Kernel kernel = Kernels.resolve(kernelOf(boot).orElseThrow(), HOME);
            Topology topology =
                    Machines.find(boot.resolve("machine").toString(), HOME).topology();
            List<Path> files;
            try (Stream<Path> list = Files.list(boot)) {
                files = list.filter(file -> file.toString().endsWith(".trace.txt.zst"))
                        .sorted()
                        .toList();
            }
            for (Path file : files) {
                Found found;
                try (BufferedReader in = packed(Files.newInputStream(file))) {
                    found = verify(in, topology, kernel);
                }
                System.out.println(boot.getFileName() + " " + file.getFileName() + ": " + found);
                decisions += found.result.decisions();
                agree += found.result.agree();
                if (file.getFileName().toString().matches("(pipe[123]|tbench[14])\\.trace.*")) {
                    assertThat(found.share()).as(file.toString()).isGreaterThan(97);
                }
            }
        }
        assertThat(agree * 100).isGreaterThan(97 * decisions);
    }

    private static Optional<String> kernelOf(Path boot) {
        String name = boot.getFileName().toString();
        if (name.matches("6\\.1-[ABCD]-.*")) {
            return Optional.of("v6.1.192");
        }
        if (name.matches("6\\.1-F-.*")) {
            return Optional.of("v6.1.192,NO_SIS_UTIL,NO_WA_IDLE,NO_WA_WEIGHT,NO_TTWU_QUEUE");
        }
        return name.matches("6\\.12-[AB]-.*") ? Optional.of("v6.12.117") : Optional.empty();
    }
}
