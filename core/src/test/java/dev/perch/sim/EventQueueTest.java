package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    @Test
    void takesTheEarliestEventFirst() {
        EventQueue queue = new EventQueue(5);
        queue.schedule(3, 30);
        queue.schedule(1, 10);
        queue.schedule(4, 20);

        assertThat(queue.nextTime()).isEqualTo(10);
        assertThat(queue.take()).isEqualTo(1);
        assertThat(queue.take()).isEqualTo(4);
        assertThat(queue.take()).isEqualTo(3);
        assertThat(queue.nextTime()).isEqualTo(EventQueue.NEVER);
        assertThat(queue.taken()).isEqualTo(3);
    }

    @Test
    void takesSimultaneousEventsInSlotOrderWhateverTheOrderOfScheduling() {
        for (int slots = 1; slots <= 70; slots++) {
            EventQueue queue = new EventQueue(slots);
            for (int i = 0; i < slots; i++) {
                queue.schedule((i * 37 + 11) % slots, 5);
            }
            // a stride of 37 meets every slot unless 37 divides the number of slots
            for (int slot = 0; slot < slots; slot++) {
                queue.schedule(slot, 5);
            }
            for (int slot = 0; slot < slots; slot++) {
                assertThat(queue.take()).isEqualTo(slot);
            }
        }
    }

    @Test
    void schedulingAgainMovesAnEventAndCancellingRemovesIt() {
        EventQueue queue = new EventQueue(3);
        queue.schedule(0, 10);
        queue.schedule(1, 20);
        queue.schedule(0, 30);
        queue.cancel(2);
        assertThat(queue.take()).isEqualTo(1);
        queue.cancel(0);
        assertThat(queue.nextTime()).isEqualTo(EventQueue.NEVER);
        assertThat(queue.timeOf(0)).isEqualTo(EventQueue.NEVER);
    }

    @Test
    void takesWhatLiesFartherThanItCanTellAtItsLatestInstant() {
        EventQueue queue = new EventQueue(300);
        queue.schedule(7, Long.MAX_VALUE - 1);
        queue.schedule(8, queue.latest());
        assertThat(queue.timeOf(7)).isEqualTo(queue.latest());
        assertThat(queue.take()).isEqualTo(7);
        assertThat(queue.nextTime()).isEqualTo(queue.latest());
        assertThat(queue.latest()).isGreaterThan(48 * 3_600_000_000_000L);
    }

    @Test
    void agreesWithSearchingAllSlotsForTheSmallestTime() {
        for (int slots : new int[] {1, 2, 3, 8, 43, 64, 65, 300}) {
            for (int frequent : new int[] {0, 1, slots / 3, slots / 2, slots}) {
                agreesWithSearching(slots, Math.max(0, slots - frequent));
            }
        }
    }

    private static void agreesWithSearching(int slots, int firstFrequent) {
        SplittableRandom random = new SplittableRandom(7);
        EventQueue queue = new EventQueue(slots, firstFrequent);
        long[] times = new long[slots];
        Arrays.fill(times, EventQueue.NEVER);
        for (int step = 0; step < 5000; step++) {
            int slot = random.nextInt(slots);
            switch (random.nextInt(4)) {
                case 0 -> {
                    queue.cancel(slot);
                    times[slot] = EventQueue.NEVER;
                }
                case 1 -> {
                    int earliest = earliest(times);
                    assertThat(queue.nextTime()).isEqualTo(times[earliest]);
                    if (times[earliest] != EventQueue.NEVER) {
                        assertThat(queue.take()).isEqualTo(earliest);
                        times[earliest] = EventQueue.NEVER;
                    }
                }
                default -> {
                    times[slot] = random.nextInt(50);
                    queue.schedule(slot, times[slot]);
                }
            }
        }
    }

    private static int earliest(long[] times) {
        int best = 0;
        for (int slot = 1; slot < times.length; slot++) {
            if (times[slot] < times[best]) {
                best = slot;
            }
        }
        return best;
    }
}
