package dev.perch.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.perch.model.TaskNames;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The chosen CPU against the kernel's own answer: recordings of real kernels in which a probe wrote what {@code select_task_rq_fair}
 * returned to {@code try_to_wake_up}.
 */
class KernelsOwnChoiceTest {

    /** What one recording showed. */
    static final class Score {
        long wakings;
        long answers;
        long equal;
        long unknown;
        long different;
        long exact;
        long notPlacedButAsked;
        long placedButNotAsked;
        final List<String> first = new ArrayList<>();

        @Override
        public String toString() {
            return wakings + " wakings, " + answers + " answers: " + equal + " equal (" + exact + " exact), "
                    + different
                    + " different, " + unknown + " unknown; judged not placed though asked " + notPlacedButAsked
                    + ", placed though not asked " + placedButNotAsked;
        }
    }

    private static Score score(BufferedReader in, boolean withWakeupRecords) throws IOException {
        Score score = new Score();
        TaskNames names = new TaskNames();
        Audit audit = new Audit(AuditOptions.of(null), names);
        // the answer of a wakeup, by the time and CPU of its waking record
        Map<String, Integer> answers = new HashMap<>();
        Map<Integer, Wakeups> byCpu = new HashMap<>();
        audit.addConsumer(wakeup -> {
            score.wakings++;
            Integer answer = answers.remove(key(wakeup.ns(), wakeup.thisCpu(), wakeup.wakee()));
            if (answer == null) {
                score.placedButNotAsked += wakeup.wakeeWas == Wakeup.WAS_ASLEEP && wakeup.prio() >= 100 ? 1 : 0;
                return;
            }
            score.answers++;
            if (wakeup.chosenCpu() < 0) {
                score.unknown++;
            } else if (wakeup.chosenCpu() == answer) {
                score.equal++;
                score.exact += wakeup.certainty() == Certainty.EXACT ? 1 : 0;
            } else {
                score.different++;
                if (score.first.size() < 5) {
                    score.first.add(wakeup.ns() + " pid " + wakeup.wakee() + " prev " + wakeup.prevCpu() + " audit "
                            + wakeup.chosenCpu() + " " + wakeup.certainty() + " kernel " + answer);
                }
            }
            if (wakeup.wakeeWas != Wakeup.WAS_ASLEEP) {
                score.notPlacedButAsked++;
            }
        });
        Tap tap =
                new Tap(audit.events(), withWakeupRecords, (ns, cpu, wakee) -> byCpu.put(cpu, new Wakeups(ns, wakee)));
        FtraceLines reader = new FtraceLines(tap, names, other -> {
            Wakeups last = byCpu.get(other.cpu());
            if (other.event().equals("srq_ret") && other.body().contains("try_to_wake_up") && last != null) {
                int answer = Integer.parseInt(other.body().replaceAll(".*ret=(-?\\d+).*", "$1"));
                answers.put(key(last.ns(), other.cpu(), last.wakee()), answer);
            }
        });
        reader.read(in);
        audit.finish();
        return score;
    }

    private record Wakeups(long ns, int wakee) {}

    private static String key(long ns, int cpu, int wakee) {
        return ns + "/" + cpu + "/" + wakee;
    }

    /** Small recordings of two kernels; the expected numbers of answers are those of their probes (grep -c). */
    @ParameterizedTest
    @CsvSource({"kprobe-6.1-sysbench-mutex, 108", "kprobe-6.12-hackbench-pipe, 714"})
    void equalsTheChosenCpu(String name, int answers) throws IOException {
        Score score = score(packed(name + ".trace.txt.zst"), true);
        assertThat(score.answers).isEqualTo(answers);
        assertThat(score.equal).as(score.first.toString()).isEqualTo(answers);
        assertThat(score.exact).isEqualTo(answers);
    }

    private static BufferedReader packed(String name) throws IOException {
        InputStream in = new ZstdInputStream(
                Objects.requireNonNull(KernelsOwnChoiceTest.class.getResourceAsStream("/audit/" + name), name));
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("slow")
    void equalsTheChosenCpuInEveryRecording(boolean withWakeupRecords) throws IOException {
        String folder = System.getProperty("perch.recordings", "");
        assumeThat(folder).as("-Dperch.recordings=DIR").isNotEmpty();
        Score all = new Score();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(Path.of(folder))) {
            files = walk.filter(path -> path.toString().endsWith(".trace.txt.zst"))
                    .sorted()
                    .toList();
        }
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            Score one;
            try (BufferedReader in = new BufferedReader(
                    new InputStreamReader(new ZstdInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
                one = score(in, withWakeupRecords);
            }
            assertThat(withWakeupRecords ? one.different : 0)
                    .as(file + " " + one.first)
                    .isZero();
            all.wakings += one.wakings;
            all.answers += one.answers;
            all.equal += one.equal;
            all.exact += one.exact;
            all.unknown += one.unknown;
            all.different += one.different;
            all.notPlacedButAsked += one.notPlacedButAsked;
            all.placedButNotAsked += one.placedButNotAsked;
        }
        System.out.println("all: " + all);
        System.out.println(all);
        assertThat(all.unknown).as("cut off at the end of a recording").isLessThanOrEqualTo(1);
        if (withWakeupRecords) {
            assertThat(all.equal + all.unknown).isEqualTo(all.answers);
        } else {
            // a migration that the waker's CPU makes right after a wakeup, pulling the wakee itself, looks like the
            // wakeup's own
            assertThat(all.different * 1000).isLessThan(all.answers);
        }
    }
}
