package dev.perch.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.SchedEvents;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a ping-pong across two CPUs says about its pair; numbers by hand. */
class PairsTest {

    /** Task 10 on CPU 0 and 20 on CPU 2 wake each other: each runs 1000 ns, wakes the other 100 ns before it sleeps, latency 3000. */
    private static Story pingPong(int rounds) {
        Story story = new Story().allIdle().runs(1000, 0, 10);
        long t = 1900;
        for (int i = 0; i < rounds; i++) {
            story.waking(t, 0, 10, 20, 2).wakeup(t + 50, 0, 10, 20, 2).blocks(t + 100, 0, 10, 0);
            story.runs(t + 3000, 2, 20);
            t += 3900;
            story.waking(t, 2, 20, 10, 0).wakeup(t + 50, 2, 20, 10, 0).blocks(t + 100, 2, 20, 0);
            story.runs(t + 3000, 0, 10);
            t += 3900;
        }
        story.blocks(t + 100, 0, 10, 0);
        return story;
    }

    @Test
    void knowsHowSynchronousAPairIsAndWhatSharingWouldSave() {
        AuditResult result = pingPong(50).end();
        List<Pair> pairs = result.pairs().mostWakeups();
        Pair pair = pairs.stream()
                .filter(p -> result.tasks().pid(p.wakerSlot()) == 10)
                .findFirst()
                .orElseThrow();
        assertThat(pair.wakeups()).isEqualTo(50);
        assertThat(pair.synchronous()).isEqualTo(1.0);
        assertThat(pair.overlap()).isZero();
        assertThat(pair.moves()).isZero();
        assertThat(pair.tailNs()).isEqualTo(100);
        assertThat(pair.latencyNs(dev.perch.model.Distance.LLC)).isEqualTo(3000);
        // 3000 across, 100 of tail instead, both ways: 2 * 2900
        assertThat(new PairAdvice(pairs, -1).of(pair))
                .isEqualTo("100 % synchronous, overlap 0 %: sharing one CPU would save at most 5.8 µs a round trip");
        assertThat(new PairAdvice(pairs, 400).of(pair))
                .as("and a switch of 400 ns each way")
                .isEqualTo("100 % synchronous, overlap 0 %: sharing one CPU would save about 5.0 µs a round trip");
    }

    @Test
    void measuresHowMuchBothRunAtTheSameTime() {
        // the waker goes on for 600 ns after the wakee has started, which runs for 800
        Story story = new Story().allIdle().runs(1000, 0, 10);
        story.waking(2000, 0, 10, 20, 2).wakeup(2050, 0, 10, 20, 2).runs(2100, 2, 20);
        story.blocks(2700, 0, 10, 0).blocks(2900, 2, 20, 0);
        Pair pair = story.end().pairs().mostWakeups().getFirst();
        assertThat(pair.overlap()).isEqualTo(0.75);
        assertThat(pair.synchronous()).isEqualTo(1.0);
    }

    @Test
    void isNotSynchronousWhenTheWakerOutlivesTheWakeesRun() {
        Story story = new Story().allIdle().runs(1000, 0, 10);
        story.waking(2000, 0, 10, 20, 2).wakeup(2050, 0, 10, 20, 2).runs(2100, 2, 20);
        story.blocks(2900, 2, 20, 0).blocks(3000, 0, 10, 0);
        Pair pair = story.end().pairs().mostWakeups().getFirst();
        assertThat(pair.synchronous()).isZero();
        assertThat(pair.overlap()).isEqualTo(1.0);
    }

    @Test
    void theFirstSentenceAnswersWithTheCostliestFaultNotTheMostFrequent() {
        Story story = new Story().allIdle().runs(10, 0, 10);
        // three bounces that cost nothing
        long t = 1000;
        for (int i = 0; i < 3; i++) {
            int from = i % 2 == 0 ? 2 : 3;
            int to = 5 - from;
            story.waking(t, 0, 10, 20, from)
                    .migrates(t + 1, 0, 10, 20, from, to)
                    .wakeup(t + 2, 0, 10, 20, to);
            story.runs(t + 5, to, 20).blocks(t + 10, to, 20, 0);
            t += 100;
        }
        // one that waits 1 ms behind another
        story.runs(t, 2, 102).waking(t + 10, 0, 10, 21, 2).wakeup(t + 11, 0, 10, 21, 2);
        story.blocks(t + 1_000_010, 2, 102, 21).blocks(t + 1_000_020, 2, 21, 0);
        AuditResult result = story.end();
        assertThat(result.wakeups().of(Verdict.BOUNCED)).isEqualTo(3);
        assertThat(result.wakeups().of(Verdict.QUEUED)).isEqualTo(1);
        assertThat(AuditText.page(result))
                .startsWith("The scheduler is hurting: wakeups that were placed badly cost 1.0 ms in 1.0 ms")
                .contains("1 wakeups queued although a CPU of the LLC was idle");
    }

    @Test
    void everyVerdictIsCountedOnce() {
        AuditResult result = pingPong(5).end();
        long sum = 0;
        for (Verdict verdict : Verdict.all()) {
            sum += result.wakeups().of(verdict);
        }
        assertThat(sum).isEqualTo(result.wakeups().count()).isEqualTo(10);
        assertThat(AuditJson.of(result, List.of()))
                .containsKeys(
                        "schema",
                        "events",
                        "lost",
                        "cpus",
                        "durationNs",
                        "wakeups",
                        "placements",
                        "verdicts",
                        "latencyNs",
                        "migrations",
                        "pairs",
                        "defects");
    }

    @Test
    void aLoopbackSenderIsTheWakerAlthoughItsReceivePathIsASoftirq() {
        assertThat(wakerOf(10, SchedEvents.IN_SOFTIRQ)).isEqualTo(10);
    }

    @Test
    void handlersThatInterruptATaskOrTheIdleThreadAreNobodys() {
        assertThat(wakerOf(10, SchedEvents.IN_HARDIRQ)).isEqualTo(Pairs.INTERRUPT);
        assertThat(wakerOf(0, SchedEvents.IN_SOFTIRQ)).isEqualTo(Pairs.INTERRUPT);
    }

    /** The pid that the one pair has as its waker when {@code current} is on the CPU where 20 is woken. */
    private static int wakerOf(int current, int context) {
        Story story = new Story().allIdle();
        if (current != 0) {
            story.runs(1000, 0, current);
        }
        AuditResult result = story.waking(2000, 0, current, context, 20, 2)
                .wakeup(2050, 0, current, 20, 2)
                .runs(2100, 2, 20)
                .end();
        int slot = result.pairs().mostWakeups().getFirst().wakerSlot();
        return slot == Pairs.INTERRUPT ? Pairs.INTERRUPT : result.tasks().pid(slot);
    }
}
