package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.trace.PerfettoFixture.Proto;
import org.junit.jupiter.api.Test;

/** The compact encoding of sched_switch and sched_waking, and what surrounds it, written by hand. */
class PerfettoCompactTest {
    private static Proto bundle(int cpu, Proto compact) {
        return new Proto().number(1, cpu).message(4, compact);
    }

    private static Proto compact() {
        return new Proto()
                .text(5, "one")
                .text(5, "two words")
                .row(1, 1000, 500, 700)
                .row(2, 0, 1, 0x100)
                .row(3, 11, 22, 0)
                .row(4, 120, 98, 120)
                .row(6, 0, 1, 0)
                .row(7, 900, 300, 600)
                .row(8, 11, 22, 11)
                .row(9, 0, 3, 1)
                .row(10, 120, 98, 120)
                .row(11, 0, 1, 0)
                .row(12, 0x08, 0x10, 0);
    }

    private static byte[] trace(Proto... packets) {
        Proto trace = new Proto();
        for (Proto packet : packets) {
            trace.message(1, packet);
        }
        return trace.toBytes();
    }

    @Test
    void timesAreDifferencesAndPrevIsWhoRanBefore() {
        BinaryReading reading = BinaryReading.of(
                trace(new Proto().message(1, bundle(2, compact())), PerfettoFixture.systemInfo("5.10.43-android12")));
        assertThat(reading.lines())
                .containsExactly(
                        "waking ns=900 cpu=2 -1 1 11 120 0",
                        "switch ns=1000 cpu=2 -1 -1 RUNNABLE 11 120",
                        "waking ns=1200 cpu=2 11 2 22 98 3",
                        "switch ns=1500 cpu=2 11 120 SLEEPING 22 98",
                        "waking ns=1800 cpu=2 22 0 11 120 1",
                        "switch ns=2200 cpu=2 22 98 RUNNABLE 0 120");
        assertThat(reading.names().nameOf(11)).isEqualTo("one");
        assertThat(reading.names().nameOf(22)).isEqualTo("two words");
        assertThat(reading.summary().clock().name()).isEqualTo("boot");
        assertThat(reading.summary().defects().all()).isEmpty();
    }

    @Test
    void afterALossNobodyIsKnownToRun() {
        Proto second = new Proto()
                .number(3, 1)
                .number(1, 2)
                .message(4, new Proto().row(1, 9000).row(2, 2).row(3, 33).row(4, 120));
        BinaryReading reading = BinaryReading.of(trace(
                PerfettoFixture.systemInfo("5.10.43"),
                new Proto().message(1, bundle(2, compact())),
                new Proto().message(1, second)));
        assertThat(reading.lines()).endsWith("lost ns=8999 cpu=2 -1", "switch ns=9000 cpu=2 -1 -1 DISK_SLEEP 33 120");
        assertThat(reading.summary().defects().count(DefectKind.EVENTS_LOST)).isEqualTo(1);
    }

    @Test
    void aMissingBundleIsALoss() {
        Proto second = new Proto()
                .number(1, 2)
                .number(10, 5000)
                .message(4, new Proto().row(1, 9000).row(2, 2).row(3, 33).row(4, 120));
        BinaryReading reading = BinaryReading.of(trace(
                PerfettoFixture.systemInfo("5.10.43"),
                new Proto().message(1, bundle(2, compact())),
                new Proto().message(1, second)));
        assertThat(reading.summary().lost()).isEqualTo(1);
    }

    @Test
    void statesAreThoseOfTheKernelThatTheTraceNames() {
        Proto row =
                new Proto().row(1, 1, 1, 1, 1).row(2, 0x800, 0x40, 0x200, 0x82).row(3, 1, 2, 3, 4);
        byte[] old = trace(new Proto().message(1, bundle(0, row)), PerfettoFixture.systemInfo("4.4.302"));
        assertThat(BinaryReading.of(old).lines())
                .extracting(line -> line.split(" ")[5])
                .containsExactly("RUNNABLE", "DEAD", "PARKED", "DISK_SLEEP");
        byte[] recent = trace(new Proto().message(1, bundle(0, row)), PerfettoFixture.systemInfo("5.15.0"));
        assertThat(BinaryReading.of(recent).lines())
                .extracting(line -> line.split(" ")[5])
                .containsExactly("UNKNOWN", "PARKED", "UNKNOWN", "DISK_SLEEP");
    }

    @Test
    void anEventThatTheTraceDescribesItselfIsRead() {
        Proto descriptor = new Proto()
                .text(1, "sched_wake_idle_without_ipi")
                .message(2, new Proto().text(1, "cpu").number(3, 7));
        Proto bundle = new Proto()
                .number(1, 1)
                .message(
                        11,
                        new Proto()
                                .number(1, 70_000)
                                .bytes(2, descriptor.toBytes())
                                .text(3, "sched"))
                .message(2, new Proto().number(1, 5).number(2, 0).message(70_000, new Proto().number(7, 3)));
        assertThat(BinaryReading.of(trace(new Proto().message(1, bundle), PerfettoFixture.systemInfo("6.1.0")))
                        .lines())
                .containsExactly("wake_idle_without_ipi ns=5 cpu=1 3");
    }

    @Test
    void rowsOfDifferentLengthsAreADefectAndWhatComesBeforeIsKept() {
        Proto row = new Proto().row(1, 10, 10, 10).row(2, 0, 0).row(3, 1, 2, 3);
        BinaryReading reading =
                BinaryReading.of(trace(new Proto().message(1, bundle(0, row)), PerfettoFixture.systemInfo("6.1.0")));
        assertThat(reading.lines()).hasSize(2);
        assertThat(reading.summary().defects().count(DefectKind.CORRUPT_RECORD)).isEqualTo(1);
    }
}
