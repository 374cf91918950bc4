package dev.perch.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.perch.audit.Audit;
import dev.perch.audit.AuditOptions;
import dev.perch.audit.Verdict;
import dev.perch.model.TaskNames;
import dev.perch.trace.EventKind;
import dev.perch.trace.Recording;
import dev.perch.trace.RecordingSummary;
import dev.perch.trace.Recordings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Exported traces, taken apart by Google's protobuf library on the field numbers that Perfetto publishes: the structure that its page needs,
 * and verdicts that are those of an audit.
 */
class PerfettoExportTest {
    private static final String RECORDINGS = "src/test/resources/recordings/";

    @TempDir
    private Path folder;

    /** One track event of a trace. */
    private record TrackEvent(
            long ns, long type, long track, String name, List<Long> from, List<Long> to, Map<String, String> notes, long value) {}

    private record Trace(List<Long> tracks, Map<Long, Long> parents, List<TrackEvent> events, Map<Long, List<Long>> ftraceTimes) {}

    private static UnknownFieldSet message(ByteString bytes) {
        try {
            return UnknownFieldSet.parseFrom(bytes);
        } catch (IOException e) {
            throw new AssertionError("not a message", e);
        }
    }

    private static long number(UnknownFieldSet message, int field) {
        List<Long> values = message.getField(field).getVarintList();
        return values.isEmpty() ? -1 : values.getLast();
    }

    private static String text(UnknownFieldSet message, int field) {
        List<ByteString> values = message.getField(field).getLengthDelimitedList();
        return values.isEmpty() ? "" : values.getLast().toString(StandardCharsets.UTF_8);
    }

    private static Trace decode(Path file) throws IOException {
        Trace trace = new Trace(new ArrayList<>(), new HashMap<>(), new ArrayList<>(), new TreeMap<>());
        UnknownFieldSet all = UnknownFieldSet.parseFrom(ByteString.copyFrom(Files.readAllBytes(file)));
        assertThat(all.asMap().keySet()).containsExactly(1);
        for (ByteString bytes : all.getField(1).getLengthDelimitedList()) {
            UnknownFieldSet packet = message(bytes);
            packet.getField(60).getLengthDelimitedList().forEach(descriptor -> describe(trace, message(descriptor)));
            packet.getField(11).getLengthDelimitedList().forEach(event -> trace.events.add(event(packet, message(event))));
            packet.getField(1).getLengthDelimitedList().forEach(bundle -> bundle(trace, message(bundle)));
        }
        return trace;
    }

    private static void describe(Trace trace, UnknownFieldSet descriptor) {
        trace.tracks.add(number(descriptor, 1));
        if (descriptor.hasField(5)) {
            trace.parents.put(number(descriptor, 1), number(descriptor, 5));
        }
    }

    private static void bundle(Trace trace, UnknownFieldSet bundle) {
        List<Long> times = trace.ftraceTimes.computeIfAbsent(number(bundle, 1), _ -> new ArrayList<>());
        bundle.getField(2).getLengthDelimitedList().forEach(event -> times.add(number(message(event), 1)));
    }

    private static TrackEvent event(UnknownFieldSet packet, UnknownFieldSet event) {
        Map<String, String> notes = new HashMap<>();
        for (ByteString bytes : event.getField(4).getLengthDelimitedList()) {
            UnknownFieldSet note = message(bytes);
            notes.put(text(note, 10), note.hasField(6) ? text(note, 6) : Long.toString(number(note, 4)));
        }
        return new TrackEvent(
                number(packet, 8),
                number(event, 9),
                number(event, 11),
                text(event, 23),
                event.getField(47).getFixed64List(),
                event.getField(48).getFixed64List(),
                notes,
                number(event, 30));
    }

    private static Recording open(Path file) {
        return Recordings.open(file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1-pipe.v7.trace.dat.zst", "6.12-hackbench.perf.data.zst", "6.18-mutex.perf.data.zst"})
    void tracesOfRealRecordingsAreSound(String name) throws IOException {
        Path file = folder.resolve("x.pftrace");
        Path recording = Path.of(RECORDINGS + name);
        RecordingSummary summary = PerfettoExport.write(() -> open(recording), AuditOptions.of(null), file);

        Trace trace = decode(file);

        assertThat(trace.tracks).doesNotHaveDuplicates();
        assertThat(trace.tracks).containsAll(trace.parents.values());
        assertThat(trace.events).extracting(TrackEvent::track).isSubsetOf(trace.tracks);
        assertThat(trace.events).extracting(TrackEvent::ns).isSorted();
        trace.ftraceTimes.values().forEach(times -> assertThat(times).isSorted());
        long ftrace = trace.ftraceTimes.values().stream().mapToLong(List::size).sum();
        assertThat(ftrace).isEqualTo(summary.events());
        slicesNest(trace);
        arrowsHaveTwoEnds(trace);
    }

    private static void slicesNest(Trace trace) {
        Map<Long, Integer> open = new HashMap<>();
        for (TrackEvent event : trace.events) {
            int change = event.type == 1 ? 1 : event.type == 2 ? -1 : 0;
            int depth = open.merge(event.track, change, Integer::sum);
            assertThat(depth).as("open stints of a track").isBetween(0, 1);
        }
        assertThat(open.values()).containsOnly(0);
    }

    private static void arrowsHaveTwoEnds(Trace trace) {
        Map<Long, Long> begun = new HashMap<>();
        int arrows = 0;
        for (TrackEvent event : trace.events) {
            for (long flow : event.from) {
                assertThat(begun.put(flow, event.ns)).isNull();
            }
            for (long flow : event.to) {
                assertThat(begun.remove(flow)).isLessThanOrEqualTo(event.ns);
                assertThat(event.type).isEqualTo(1);
                arrows++;
            }
        }
        assertThat(begun).isEmpty();
        assertThat(arrows).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1-pipe.v7.trace.dat.zst", "6.12-hackbench.perf.data.zst"})
    void eachWakeupHasTheVerdictOfTheAudit(String name) throws IOException {
        Path file = folder.resolve("x.pftrace");
        Path recording = Path.of(RECORDINGS + name);
        AuditOptions options = AuditOptions.of(null);
        RecordingSummary summary = PerfettoExport.write(() -> open(recording), options, file);
        Map<String, Long> expected = new TreeMap<>();
        TaskNames names = new TaskNames();
        Audit audit = new Audit(options, names);
        audit.addConsumer(wakeup -> expected.merge(
                wakeup.number() + " " + wakeup.ns() + " " + wakeup.wakee() + " " + wakeup.verdict().word() + " "
                        + wakeup.chosenCpu() + " " + wakeup.latencyNs(),
                1L,
                Long::sum));
        try (Recording opened = open(recording)) {
            opened.read(audit.events(), names);
        }
        audit.finish();

        Map<String, Long> found = new TreeMap<>();
        for (TrackEvent event : decode(file).events) {
            if (event.type == 3) {
                found.merge(
                        event.notes.get("wakeup") + " " + event.ns + " " + event.notes.get("wakee") + " "
                                + event.notes.get("verdict") + " " + event.notes.getOrDefault("chosen CPU", "-1") + " "
                                + event.notes.getOrDefault("latency ns", "-1"),
                        1L,
                        Long::sum);
            }
        }
        assertThat(found).isEqualTo(expected);
        assertThat((long) found.size()).isEqualTo(summary.count(EventKind.WAKING));
        assertThat(found.keySet()).anyMatch(line -> !line.contains(Verdict.UNKNOWN.word()));
    }
}
