package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are cut off or damaged: never anything but an InputException of one line or a summary with defects, and times in order. */
class BinaryDamageTest {
    private static final int CPUS = 2;

    private final TaskNames names = new TaskNames();

    private static final class InOrder implements SchedEvents {
        private long last = Long.MIN_VALUE;

        @Override
        public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
            assertThat(ns).isGreaterThanOrEqualTo(last);
            last = ns;
        }
    }

    private List<byte[]> files() {
        new RandomSchedule(1, CPUS, 1, names).run(1, new SchedEvents() {});
        List<byte[]> files = new ArrayList<>();
        RawRecords little = new RawRecords(ByteOrder.LITTLE_ENDIAN, 8, 0, true, names);
        RawRecords big = new RawRecords(ByteOrder.BIG_ENDIAN, 4, 8, false, names);
        PerfettoFixture perfetto = new PerfettoFixture(CPUS, names);
        for (SchedEvents sink : List.of(little, big, perfetto)) {
            new RandomSchedule(1, CPUS, 1, names).run(40, sink);
        }
        files.add(new PerfDataFixture(little, PerfDataFixture.Parts.AS_PERF_SCHED, CPUS).asFile(8));
        files.add(new PerfDataFixture(big, PerfDataFixture.Parts.WITH_GROUP, CPUS).asPipe(8));
        files.add(new TraceDatFixture(big, 512, CPUS).version6());
        files.add(new TraceDatFixture(little, 512, CPUS).version7(true, 2));
        files.add(perfetto.trace(8, false));
        files.add(perfetto.trace(8, true));
        return files;
    }

    /** Reads it; says whether there were no complaints. */
    private static boolean survives(byte[] file, String what) {
        try {
            return BinaryReading.summaryOf(file, new InOrder()).defects().all().isEmpty();
        } catch (InputException e) {
            assertThat(e.getMessage()).as(what).isNotBlank().doesNotContain("\n");
            return false;
        } catch (RuntimeException | Error e) {
            throw new AssertionError(what + ": " + e, e);
        }
    }

    @Test
    void anyLengthCanBeReadOrIsRefused() {
        List<byte[]> files = files();
        assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
            for (int which = 0; which < files.size(); which++) {
                byte[] file = files.get(which);
                for (int length = 0;
                        length < file.length;
                        length += length < 300 || length > file.length - 300 ? 1 : 7) {
                    survives(Arrays.copyOf(file, length), "file " + which + " cut to " + length);
                }
            }
        });
    }

    @Test
    void anyFlippedBytesCanBeReadOrAreRefused() {
        List<byte[]> files = files();
        SplittableRandom random = new SplittableRandom(7);
        assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
            for (int round = 0; round < 6000; round++) {
                int which = round % files.size();
                byte[] file = files.get(which).clone();
                for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                    file[random.nextInt(file.length)] = flipped(random);
                }
                survives(file, "file " + which + ", round " + round);
            }
        });
    }

    private static byte flipped(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> Byte.MIN_VALUE;
            default -> (byte) random.nextInt();
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.18-compressed.perf.data.zst", "6.1-pipe.v7.trace.dat.zst"})
    void compressedDataThatIsDamagedCanBeReadOrIsRefused(String name) throws IOException {
        byte[] good;
        try (InputStream in = new ZstdInputStream(
                Objects.requireNonNull(BinaryDamageTest.class.getResourceAsStream("/recordings/" + name)))) {
            good = in.readAllBytes();
        }
        SplittableRandom random = new SplittableRandom(11);
        assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
            for (int round = 0; round < 400; round++) {
                byte[] file = good.clone();
                file[random.nextInt(file.length)] = (byte) random.nextInt();
                survives(file, "round " + round);
            }
        });
    }

    @Test
    void aFileCutInItsDataIsCountedAsCutOff() {
        new RandomSchedule(1, CPUS, 1, names).run(1, new SchedEvents() {});
        RawRecords records = new RawRecords(ByteOrder.LITTLE_ENDIAN, 8, 0, false, names);
        new RandomSchedule(1, CPUS, 1, names).run(400, records);
        byte[] pipe = new PerfDataFixture(records, PerfDataFixture.Parts.AS_PERF_SCHED, CPUS).asPipe(50);
        RecordingSummary summary =
                BinaryReading.summaryOf(Arrays.copyOf(pipe, pipe.length - 2000), new SchedEvents() {});
        assertThat(summary.defects().count(DefectKind.TRUNCATED)).isEqualTo(1);
        assertThat(summary.events()).isBetween(300L, 399L);
        byte[] dat = new TraceDatFixture(records, 4096, CPUS).version6();
        summary = BinaryReading.summaryOf(Arrays.copyOf(dat, dat.length - 6000), new SchedEvents() {});
        assertThat(summary.defects().count(DefectKind.TRUNCATED)).isPositive();
        assertThat(summary.events()).isBetween(200L, 399L);
    }

    @Test
    void whatCannotBeReadIsSaidInOneLine() {
        byte[] version8 = new BinaryFile(ByteOrder.LITTLE_ENDIAN)
                .tracingStart("8", 8, 4096)
                .u64(0)
                .toBytes();
        assertThatThrownBy(() -> BinaryReading.of(version8))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "test is a trace.dat of version 8; versions 6 and 7 are read; 'trace-cmd convert' makes one of them");
        byte[] lzma = new BinaryFile(ByteOrder.LITTLE_ENDIAN)
                .tracingStart("7", 8, 4096)
                .ascii("lzma\0")
                .ascii("1\0")
                .u64(0)
                .toBytes();
        assertThatThrownBy(() -> BinaryReading.of(lzma))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("compressed with lzma");
    }
}
