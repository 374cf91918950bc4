package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FtraceTextTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void readsBackToTheSameEventsToTheNanosecond(long seed) {
        TaskNames names = new TaskNames();
        EventLog expected = new EventLog();
        new RandomSchedule(seed, 9, 1, names).run(3000, expected);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (FtraceText text = new FtraceText(bytes, names, "seed " + seed)) {
            new RandomSchedule(seed, 9, 1, names).run(3000, text);
        }

        EventLog read = new EventLog();
        RecordingSummary summary = Reads.bytes(bytes.toByteArray(), read, new TaskNames());

        assertThat(read.lines()).isEqualTo(expected.lines());
        assertThat(summary.simulated()).isTrue();
        assertThat(summary.clock()).isEqualTo(new Clock("simulation", Clock.Unit.NANOSECONDS, 1));
        assertThat(summary.format()).isEqualTo(RecordingFormat.FTRACE_TEXT);
        assertThat(summary.defects().all()).isEmpty();
    }

    @Test
    void keepsNamesThatAreLongerThanTheKernels() {
        TaskNames names = new TaskNames();
        names.learn(7, "a receiver with a very long name-1");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (FtraceText text = new FtraceText(bytes, names, "long names\nand two lines")) {
            text.switched(5, 0, 0, 120, TaskState.RUNNABLE, 7, 120);
            text.waking(6, 0, 7, SchedEvents.IN_TASK, 7, 120, 0);
        }
        TaskNames read = new TaskNames();
        EventLog log = new EventLog();
        Reads.bytes(bytes.toByteArray(), log, read);
        assertThat(read.nameOf(7)).isEqualTo("a receiver with a very long name-1");
        assertThat(log.lines())
                .containsExactly("switch ns=5 cpu=0 0 120 RUNNABLE 7 120", "waking ns=6 cpu=0 7 0 7 120 0");
    }

    @Test
    void tellsWhereTasksMayRunBeforeItIsRead() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Map<Integer, CpuMask> affinities = Map.of(9, CpuMask.of(6), 12, CpuMask.parse("1-3,5-7"));
        try (FtraceText text =
                new FtraceText(bytes, new TaskNames(), "bound tasks", affinities, CpuMask.parse("1-3,5-7"))) {
            text.idle(1, 0, 1);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .startsWith("# tracer: nop\n# simulated: bound tasks\n# cpuset: 1-3,5-7\n"
                        + "# affinity: 9 6\n# affinity: 12 1-3,5-7\n#");
        try (Recording recording = Recordings.open(new ByteArrayInputStream(bytes.toByteArray()), "test")) {
            assertThat(recording.head()).isEqualTo(new RecordingHead(null, true, affinities, CpuMask.parse("1-3,5-7")));
            assertThat(recording.read(new EventLog(), new TaskNames()).events()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"# affinity:", "# affinity: 9", "# affinity: nine 6", "# affinity: 9 6-", "# cpuset: all"})
    void remarksOfOthersTellNothing(String remark) {
        assertThat(TextHead.read((remark + "\n# simulated: x\n").getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new RecordingHead(null, true, Map.of(), CpuMask.empty()));
        assertThat(TextHead.read((remark + "\n#").getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(RecordingHead.NOTHING);
    }

    @Test
    void printsWhatTheKernelPrints() {
        TaskNames names = new TaskNames();
        names.learn(26260, "bash");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (FtraceText text = new FtraceText(bytes, names, "one line")) {
            text.waking(3623_713_618_001L, 1, 26260, SchedEvents.IN_HARDIRQ, 26260, 120, 3);
            text.idle(3623_713_618_002L, 1, -1);
            text.lost(3623_713_618_003L, 1, 12);
        }
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertThat(text.lines().filter(line -> !line.startsWith("#")))
                .containsExactly(
                        "            bash-26260   [001] d.h2.  3623.713618001: sched_waking: comm=bash pid=26260 prio=120 target_cpu=003",
                        "          <idle>-0       [001] d..2.  3623.713618002: cpu_idle: state=4294967295 cpu_id=1",
                        "CPU:1 [LOST 12 EVENTS]");
        assertThat(text).startsWith("# tracer: nop\n# simulated: one line\n");
    }
}
