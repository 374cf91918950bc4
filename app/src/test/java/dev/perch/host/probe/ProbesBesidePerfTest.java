package dev.perch.host.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.host.linux.ThisThread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The same on the same machine by another tool, perf bench, written in C. */
@EnabledOnOs(OS.LINUX)
@Tag("slow")
@Timeout(120)
class ProbesBesidePerfTest {
    private static final Pattern RESULT = Pattern.compile("([0-9]+\\.[0-9]+) usecs/op");
    private static final int RUNS = 15;

    private final int cpu = ThisThread.affinity().last();

    /** The fastest of several short runs on one CPU, ns: perf does not tell what others took of the time. */
    private double perf(String... benchmark) throws IOException, InterruptedException {
        OptionalDouble fastest = OptionalDouble.empty();
        for (int i = 0; i < RUNS; i++) {
            Matcher result = RESULT.matcher(run(Stream.concat(
                            Stream.of("taskset", "-c", Integer.toString(cpu), "perf", "bench"), Stream.of(benchmark))
                    .toArray(String[]::new)));
            Assumptions.assumeTrue(result.find(), "perf bench did not run");
            double ns = Double.parseDouble(result.group(1)) * 1_000;
            fastest = OptionalDouble.of(Math.min(ns, fastest.orElse(ns)));
        }
        return fastest.orElseThrow();
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor(10, TimeUnit.SECONDS);
        return output;
    }

    private static void requireTools() {
        for (String tool : new String[] {"perf", "taskset"}) {
            Assumptions.assumeTrue(
                    Stream.of(System.getenv("PATH").split(":"))
                            .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool))),
                    tool + " is not installed");
        }
    }

    @Test
    void aSystemCallTakesAsLongAsPerfSays() throws IOException, InterruptedException {
        requireTools();
        double perf = perf("syscall", "basic", "--loop", "10000");
        Probes probes = new Probes(() -> false);
        assertThat(probes.systemCall(cpu).median()).isBetween(perf / 3, perf * 3);
    }

    /** A hop of a pinned ping-pong holds a write, a read and a way from a thread that falls asleep to one that wakes up. */
    @Test
    void aHopOverAPipeTakesLongerThanItsCallsAndLessThanThreeTimesItsParts() throws IOException, InterruptedException {
        requireTools();
        double hop = perf("sched", "pipe", "-T", "-l", "10000") / 2;
        Probes probes = new Probes(() -> false);
        double calls = probes.pipeWrite(cpu).median() + probes.pipeRead(cpu).median();
        double parts = calls + probes.wakeLatencySameCpu(cpu).median();
        assertThat(hop).isBetween(calls / 3, parts * 3);
    }
}
