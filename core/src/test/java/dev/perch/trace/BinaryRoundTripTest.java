package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Random schedules, written in every binary format by encoders that share nothing with the readers, read back equal. */
class BinaryRoundTripTest {
    private static final int CPUS = 5;
    private static final int EVENTS = 3000;

    private final TaskNames names = new TaskNames();

    private List<String> expected(long seed) {
        EventLog log = new EventLog();
        schedule(seed, log);
        return BinaryReading.inOrder(log.lines());
    }

    private void schedule(long seed, SchedEvents sink) {
        new RandomSchedule(seed, CPUS, 1, names).run(EVENTS, sink);
    }

    private RawRecords records(long seed, ByteOrder order, int longSize, int filler, boolean namesBehind) {
        schedule(seed, new SchedEvents() {});
        RawRecords records = new RawRecords(order, longSize, filler, namesBehind, names);
        schedule(seed, records);
        return records;
    }

    private List<RawRecords> machines(long seed) {
        return List.of(
                records(seed, ByteOrder.LITTLE_ENDIAN, 8, 0, false),
                records(seed, ByteOrder.LITTLE_ENDIAN, 8, 8, true),
                records(seed, ByteOrder.LITTLE_ENDIAN, 4, 0, true),
                records(seed, ByteOrder.BIG_ENDIAN, 8, 16, false),
                records(seed, ByteOrder.BIG_ENDIAN, 4, 0, false),
                records(seed, ByteOrder.BIG_ENDIAN, 8, 0, true));
    }

    private void check(byte[] file, RecordingFormat format, long seed) {
        List<String> expected = expected(seed);
        BinaryReading reading = BinaryReading.of(file);
        assertThat(reading.summary().format()).isEqualTo(format);
        assertThat(reading.summary().defects().all()).isEmpty();
        assertThat(reading.lines()).isEqualTo(expected);
        assertThat(reading.summary().kernelRelease()).isEqualTo("6.9.1-test");
        int known = 0;
        for (int pid = 1; pid <= 60; pid++) {
            byte[] name = names.nameOf(pid).getBytes(StandardCharsets.UTF_8);
            String cut = new String(Arrays.copyOf(name, Math.min(15, name.length)), StandardCharsets.UTF_8);
            String read = reading.names().nameOf(pid);
            if (!cut.isEmpty() && !read.isEmpty()) {
                known++;
                assertThat(format == RecordingFormat.PERFETTO ? cut(read) : read)
                        .isEqualTo(cut);
            }
        }
        assertThat(known).isGreaterThan(30);
    }

    private static String cut(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return new String(Arrays.copyOf(bytes, Math.min(15, bytes.length)), StandardCharsets.UTF_8);
    }

    @Test
    void perfDataAsAFile() {
        for (long seed = 1; seed <= 2; seed++) {
            for (RawRecords records : machines(seed)) {
                for (PerfDataFixture.Parts parts : PerfDataFixture.Parts.values()) {
                    check(new PerfDataFixture(records, parts, CPUS).asFile(100), RecordingFormat.PERF_DATA, seed);
                }
            }
        }
    }

    @Test
    void perfDataThroughAPipe() {
        for (RawRecords records : machines(3)) {
            for (PerfDataFixture.Parts parts : PerfDataFixture.Parts.values()) {
                check(new PerfDataFixture(records, parts, CPUS).asPipe(250), RecordingFormat.PERF_DATA, 3);
            }
        }
    }

    @Test
    void traceDatOfVersion6() {
        for (RawRecords records : machines(4)) {
            check(new TraceDatFixture(records, 4096, CPUS).version6(), RecordingFormat.TRACE_DAT, 4);
            check(new TraceDatFixture(records, 65536, CPUS).version6(), RecordingFormat.TRACE_DAT, 4);
        }
    }

    @Test
    void traceDatOfVersion7WithAndWithoutCompression() {
        for (RawRecords records : machines(5)) {
            check(new TraceDatFixture(records, 4096, CPUS).version7(true, 1), RecordingFormat.TRACE_DAT, 5);
            check(new TraceDatFixture(records, 16384, CPUS).version7(false, 1), RecordingFormat.TRACE_DAT, 5);
        }
    }

    @Test
    void perfettoWithAMessageForEachEvent() {
        for (long seed = 6; seed <= 8; seed++) {
            schedule(seed, new SchedEvents() {});
            PerfettoFixture fixture = new PerfettoFixture(CPUS, names);
            schedule(seed, fixture);
            check(fixture.trace(64, false), RecordingFormat.PERFETTO, seed);
            check(fixture.trace(500, true), RecordingFormat.PERFETTO, seed);
        }
    }

    @Test
    void aSecondBufferWithTheSameEventsIsLeftOutAndCounted() {
        RawRecords records = records(9, ByteOrder.LITTLE_ENDIAN, 8, 0, false);
        BinaryReading reading = BinaryReading.of(new TraceDatFixture(records, 4096, CPUS).version7(false, 2));
        assertThat(reading.lines()).isEqualTo(expected(9));
        assertThat(reading.summary().defects().count(DefectKind.DUPLICATE_EVENTS))
                .isEqualTo(EVENTS);
    }

    @Test
    void eventsOfOtherKindsAreCountedByName() {
        RawRecords records = records(10, ByteOrder.LITTLE_ENDIAN, 8, 0, false);
        records.add("sched_other", 5_000_000_000L, 1, 7, 0, 1);
        records.add("sched_other", 5_000_000_001L, 1, 7, 0, 1);
        BinaryReading reading = BinaryReading.of(new TraceDatFixture(records, 4096, CPUS).version6());
        assertThat(reading.summary().skipped()).containsOnly(java.util.Map.entry("sched_other", 2L));
        assertThat(reading.lines()).hasSize(EVENTS);
    }

    @Test
    void pagesTellHowManyEventsWereLost() {
        for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            for (int longSize : new int[] {4, 8}) {
                RawRecords records = new RawRecords(order, longSize, 0, false, names);
                records.rescheduleIpi(100, 0);
                byte[] record = records.all().getFirst().bytes();
                TraceDatFixture fixture = new TraceDatFixture(records, 4096, 1);
                List<byte[]> pages = new ArrayList<>();
                long[] lost = {0, 7, -1};
                for (int i = 0; i < lost.length; i++) {
                    TraceDatFixture.Page page = fixture.new Page(1000L * i);
                    page.add(1000L * i + 10, record, 0);
                    page.add(1000L * i + 20, record, 0);
                    pages.add(page.bytes(lost[i], 0));
                }
                byte[] all = new byte[3 * 4096];
                for (int i = 0; i < pages.size(); i++) {
                    System.arraycopy(pages.get(i), 0, all, 4096 * i, 4096);
                }
                BinaryReading reading = BinaryReading.of(fixture.version6(List.of(all)));
                assertThat(reading.lines())
                        .containsExactly(
                                "reschedule_ipi ns=10 cpu=0",
                                "reschedule_ipi ns=20 cpu=0",
                                "lost ns=1010 cpu=0 7",
                                "reschedule_ipi ns=1010 cpu=0",
                                "reschedule_ipi ns=1020 cpu=0",
                                "lost ns=2010 cpu=0 -1",
                                "reschedule_ipi ns=2010 cpu=0",
                                "reschedule_ipi ns=2020 cpu=0");
                assertThat(reading.summary().lost()).isEqualTo(8);
                assertThat(reading.summary().defects().count(DefectKind.EVENTS_LOST))
                        .isEqualTo(8);
            }
        }
    }
}
