package dev.perch.trace.binary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.trace.DefectKind;
import dev.perch.trace.Defects;
import dev.perch.trace.EventKind;
import dev.perch.trace.Reading;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EventWindowTest {
    /** An event; {@code number} tells events of equal time and CPU apart. */
    private record Event(long ns, int cpu, int number) {}

    private final List<Event> passed = new ArrayList<>();
    private final Reading reading = new Reading(
            new SchedEvents() {
                @Override
                public void ipiSent(long ns, int cpu, int target) {
                    passed.add(new Event(ns, cpu, target));
                }
            },
            new TaskNames(),
            Defects.Place.BYTE);

    private static void add(EventWindow window, Event event) throws IOException {
        long meta = PackedEvents.meta(EventKind.IPI_SEND, 0, event.cpu(), 0);
        window.lane(event.cpu()).add(event.ns(), meta, event.number(), 0, 0);
        window.relieve();
    }

    private static List<Event> inOrder(List<Event> events) {
        return events.stream()
                .sorted(Comparator.comparingLong(Event::ns).thenComparingInt(Event::cpu))
                .toList();
    }

    @Test
    void moreEventsThanAreKeptComeOutInOrder() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        for (int kept : new int[] {10, 100, 1000, 100_000}) {
            passed.clear();
            List<Event> all = new ArrayList<>();
            try (EventWindow window = new EventWindow(reading, kept)) {
                long ns = passed.isEmpty() ? 0 : passed.getLast().ns();
                for (int i = 0; i < 20_000; i++) {
                    // In order on a CPU but for some that come late; CPUs in long turns.
                    ns += random.nextInt(4);
                    long late = random.nextInt(10) == 0 ? random.nextInt(100) : 0;
                    Event event = new Event(kept * 1_000_000L + Math.max(0, ns - late), i / 3000 % 4, i % 8000);
                    all.add(event);
                    add(window, event);
                }
                window.releaseAll();
            }
            assertThat(passed).isEqualTo(inOrder(all));
        }
    }

    @Test
    void aCpuThatGoesBackwardsIsSortedInReasonableTime() throws IOException {
        List<Event> all = new ArrayList<>();
        try (EventWindow window = new EventWindow(reading, 1_000_000)) {
            for (int i = 0; i < 200_000; i++) {
                Event event = new Event(200_000 - i, 0, i % 8000);
                all.add(event);
                add(window, event);
            }
            window.releaseAll();
        }
        assertThat(passed).isEqualTo(inOrder(all));
    }

    @Test
    void releaseKeepsWhatIsLater() throws IOException {
        try (EventWindow window = new EventWindow(reading, 1000)) {
            add(window, new Event(30, 0, 1));
            add(window, new Event(10, 1, 2));
            add(window, new Event(20, 1, 3));
            window.release(20);
            assertThat(passed).containsExactly(new Event(10, 1, 2), new Event(20, 1, 3));
            add(window, new Event(25, 1, 4));
            window.releaseAll();
        }
        assertThat(passed).endsWith(new Event(25, 1, 4), new Event(30, 0, 1));
        assertThat(reading.defects().all()).isEmpty();
    }

    @Test
    void whatComesTooLateIsLeftOutAndCounted() throws IOException {
        try (EventWindow window = new EventWindow(reading, 1000)) {
            add(window, new Event(30, 0, 1));
            window.releaseAll();
            add(window, new Event(29, 0, 2));
            window.releaseAll();
        }
        assertThat(passed).containsExactly(new Event(30, 0, 1));
        assertThat(reading.defects().count(DefectKind.OUT_OF_ORDER)).isEqualTo(1);
    }
}
