package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever happens to a text: no exception but the reader's own, no hang, times in order, and nothing invented. */
class DamagedTextTest {
    private static byte[] sample(TextFixture.Style style, int events) {
        TaskNames names = new TaskNames();
        TextFixture fixture = new TextFixture(style, names);
        new RandomSchedule(3, 4, style.step(), names).run(events, fixture);
        return fixture.bytes();
    }

    @ParameterizedTest
    @EnumSource(
            value = TextFixture.Style.class,
            names = {"FTRACE", "TRACE_CMD", "TRACE_CMD_R", "PERF", "FTRACE_LATENCY"})
    void aTextCutAnywhereGivesTheEventsBeforeTheCut(TextFixture.Style style) {
        byte[] whole = sample(style, 40);
        EventLog all = new EventLog();
        Reads.bytes(whole, all, new TaskNames());
        for (int length = 1; length < whole.length; length++) {
            EventLog log = new EventLog();
            try {
                RecordingSummary summary = Reads.bytes(Arrays.copyOf(whole, length), log, new TaskNames());
                if (whole[length - 1] != '\n') {
                    assertThat(summary.defects().count(DefectKind.TRUNCATED)).isEqualTo(1);
                }
            } catch (InputException e) {
                assertThat(e.getMessage()).doesNotContain("\n");
            }
            int count = log.lines().size();
            assertThat(log.lines()).isEqualTo(all.lines().subList(0, count));
        }
    }

    @ParameterizedTest
    @EnumSource(TextFixture.Style.class)
    void survivesRandomDamage(TextFixture.Style style) {
        byte[] whole = sample(style, 120);
        SplittableRandom random = new SplittableRandom(style.ordinal());
        for (int round = 0; round < 300; round++) {
            byte[] damaged = whole.clone();
            int changes = 1 + random.nextInt(40);
            for (int i = 0; i < changes; i++) {
                int at = random.nextInt(damaged.length);
                switch (random.nextInt(4)) {
                    case 0 -> damaged[at] ^= (byte) (1 << random.nextInt(8));
                    case 1 -> damaged[at] = (byte) random.nextInt(256);
                    case 2 -> damaged[at] = (byte) "0123456789=[]: .\n-".charAt(random.nextInt(18));
                    default -> {
                        int from = random.nextInt(damaged.length);
                        int length = Math.min(random.nextInt(60), damaged.length - Math.max(at, from));
                        System.arraycopy(whole, from, damaged, at, length);
                    }
                }
            }
            try {
                Reads.bytes(damaged, new InOrder(), new TaskNames());
            } catch (InputException e) {
                assertThat(e.getMessage()).doesNotContain("\n");
            }
        }
    }

    @Test
    void aDamagedEventIsADefectAndNotANumber() {
        RecordingSummary summary = Reads.text("""
                            bash-10    [000] d..2     1.000001: sched_waking: comm=x pid=11 prio=120 target_cpu=001
                            bash-10    [000] d..2     1.000002: sched_waking: comm=x pid=11 prio=120 target_cpu=9999
                            bash-10    [000] d..2     1.000003: sched_waking: comm=x pid=99999999 prio=120 target_cpu=001
                            bash-10    [000] d..2     1.000004: sched_waking: comm=x pid=11 prio=120 target
                this is no record
                            bash-10    [000] d..2     1.000005: sched_waking: comm=x pid=11 prio=120 target_cpu=001
                """);
        assertThat(summary.count(EventKind.WAKING)).isEqualTo(2);
        assertThat(summary.defects().all())
                .containsExactly(
                        new Defects.Defect(DefectKind.UNPARSED_LINE, 1, 5),
                        new Defects.Defect(DefectKind.UNPARSED_EVENT, 3, 2),
                        new Defects.Defect(DefectKind.NO_SCHED_SWITCH, 1, -1));
    }

    @Test
    void hugeLinesAreLeftOut() {
        String line =
                "            bash-10    [000] d..2     1.00000%d: sched_waking: comm=x pid=11 prio=120 target_cpu=001\n";
        for (int length : new int[] {Lines.MAX_LENGTH - 1, Lines.MAX_LENGTH + 1, 5 * Lines.MAX_LENGTH, 1_000_000}) {
            RecordingSummary summary =
                    Reads.text(line.formatted(1) + "x".repeat(length) + "\n" + line.formatted(2) + line.formatted(3));
            assertThat(summary.count(EventKind.WAKING)).isEqualTo(3);
            assertThat(summary.defects().count(DefectKind.LONG_LINE)
                            + summary.defects().count(DefectKind.UNPARSED_LINE))
                    .isEqualTo(1);
        }
    }

    @Test
    void linesThatInviteManyAttemptsTakeNoLongerThanOthers() {
        List<String> hostile =
                List.of("-1 ", "[", "1 ", "-1 (", "-1     [000]", " pid=1", "1111111111", "prev_comm=", ": ", "comm=");
        String good =
                "            bash-10    [000] d..2     1.000001: sched_waking: comm=x pid=11 prio=120 target_cpu=001\n";
        org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            for (String piece : hostile) {
                String line = piece.repeat(60_000 / piece.length()) + "\n";
                Reads.text(good + line.repeat(50));
                String event = good.replaceFirst("comm=.*\n", "comm=" + java.util.regex.Matcher.quoteReplacement(line));
                Reads.text(good + event.repeat(50));
            }
        });
    }

    @Test
    void eventsThatComeALittleLateAreSorted() {
        String form =
                "            bash-10    [00%d] d..2     1.00000%d: sched_waking: comm=x pid=11 prio=120 target_cpu=001\n";
        EventLog log = new EventLog();
        byte[] text = (form.formatted(0, 5) + form.formatted(1, 3) + form.formatted(0, 6) + form.formatted(1, 4))
                .getBytes(StandardCharsets.UTF_8);
        RecordingSummary summary = Reads.bytes(text, log, new TaskNames());
        assertThat(log.lines())
                .extracting(line -> line.split(" ")[1])
                .containsExactly("ns=1000003000", "ns=1000004000", "ns=1000005000", "ns=1000006000");
        assertThat(summary.defects().count(DefectKind.OUT_OF_ORDER)).isZero();
    }

    @Test
    void differencesInsteadOfTimesAreADefect() { // perf script --deltatime
        RecordingSummary summary = Reads.text("""
                            perf 26694 [000]     0.000000: sched:sched_waking: comm=x pid=11 prio=120 target_cpu=001
                            perf 26694 [000]     0.000005: sched:sched_waking: comm=x pid=11 prio=120 target_cpu=001
                            perf 26694 [001]     0.000001: sched:sched_waking: comm=x pid=11 prio=120 target_cpu=001
                            perf 26694 [001]     0.000004: sched:sched_waking: comm=x pid=11 prio=120 target_cpu=001
                """);
        assertThat(summary.defects().count(DefectKind.DISORDERED)).isEqualTo(1);
    }

    @Test
    void eventsThatComeMuchTooLateAreLeftOutAndReported() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < EventSorter.WINDOW + 10; i++) {
            text.append(String.format(
                    "            bash-10    [000] d..2     2.%06d: sched_waking: comm=x pid=11 prio=120 target_cpu=001%n",
                    i));
        }
        text.append(
                "            bash-10    [001] d..2     1.000000: sched_waking: comm=x pid=11 prio=120 target_cpu=001\n");
        RecordingSummary summary =
                Reads.bytes(text.toString().getBytes(StandardCharsets.UTF_8), new InOrder(), new TaskNames());
        assertThat(summary.count(EventKind.WAKING)).isEqualTo(EventSorter.WINDOW + 10);
        assertThat(summary.defects().all())
                .contains(new Defects.Defect(DefectKind.OUT_OF_ORDER, 1, EventSorter.WINDOW + 11));
        assertThat(summary.lost()).isEqualTo(1);
    }

    /** Fails when times decrease or a CPU is none. */
    private static final class InOrder implements SchedEvents {
        private long last = Long.MIN_VALUE;

        private void at(long ns, int cpu) {
            assertThat(ns).isGreaterThanOrEqualTo(last);
            assertThat(cpu).isBetween(-1, 8191);
            last = ns;
        }

        @Override
        public void switched(long ns, int cpu, int prev, int prevPrio, TaskState state, int next, int nextPrio) {
            at(ns, cpu);
            assertThat(prev).isNotNegative();
            assertThat(next).isNotNegative();
        }

        @Override
        public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
            at(ns, cpu);
            assertThat(prevCpu).isBetween(0, 8191);
        }

        @Override
        public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
            at(ns, cpu);
        }

        @Override
        public void idle(long ns, int cpu, int state) {
            at(ns, cpu);
        }

        @Override
        public void lost(long ns, int cpu, long count) {
            at(ns, cpu);
        }
    }
}
