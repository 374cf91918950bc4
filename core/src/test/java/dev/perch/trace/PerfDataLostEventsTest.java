package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.TaskNames;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/**
 * Lost events of a perf.data: PERF_RECORD_LOST tells of a gap, PERF_RECORD_LOST_SAMPLES at perf's end of all that one event lost on a CPU,
 * gaps included (include/uapi/linux/perf_event.h, PERF_FORMAT_LOST).
 */
class PerfDataLostEventsTest {
    private static final int CPUS = 3;
    private static final int EVENTS = 300;
    private static final int SEED = 7;

    private long lastNs;

    private PerfDataFixture fixture(ByteOrder order) {
        TaskNames names = new TaskNames();
        RawRecords records = new RawRecords(order, 8, 0, false, names);
        new RandomSchedule(SEED, CPUS, 1, names).run(EVENTS, records);
        lastNs = records.all().getLast().ns();
        return new PerfDataFixture(records, PerfDataFixture.Parts.AS_PERF_SCHED, CPUS);
    }

    private static RecordingSummary check(PerfDataFixture fixture, long lost) {
        BinaryReading reading = BinaryReading.of(fixture.asFile(100));
        assertThat(reading.summary().lost()).isEqualTo(lost);
        assertThat(reading.summary().defects().count(DefectKind.EVENTS_LOST)).isEqualTo(lost);
        return reading.summary();
    }

    @Test
    void samplesThatPerfCountsAsLostAreLostEventsAtTheEndOnTheirCpu() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            PerfDataFixture fixture = fixture(order).thenLostSamples(17, 1).thenLostSamples(4, 2);
            check(fixture, 21);
            assertThat(BinaryReading.of(fixture.asFile(100)).lines())
                    .endsWith("lost ns=" + lastNs + " cpu=1 17", "lost ns=" + lastNs + " cpu=2 4");
        }
    }

    @Test
    void whatTheKernelHasToldAlreadyIsNotCountedTwice() {
        check(fixture(ByteOrder.LITTLE_ENDIAN).thenLost(17, 1, lastNs).thenLostSamples(17, 1), 17);
        check(fixture(ByteOrder.LITTLE_ENDIAN).thenLost(12, 1, lastNs).thenLostSamples(17, 1), 17);
        // A gap of one CPU explains nothing of another.
        check(fixture(ByteOrder.LITTLE_ENDIAN).thenLost(17, 0, lastNs).thenLostSamples(17, 1), 34);
    }

    @Test
    void severalEventsOfOneCpuAreSummed() {
        check(
                fixture(ByteOrder.LITTLE_ENDIAN)
                        .thenLost(10, 1, lastNs)
                        .thenLostSamples(8, 1)
                        .thenLostSamples(9, 1),
                17);
    }
}
