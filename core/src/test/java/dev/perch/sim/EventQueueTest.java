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
    void agreesWithSearchingAllSlotsForTheSmallestTime() {
        SplittableRandom random = new SplittableRandom(7);
        for (int slots : new int[] {1, 2, 3, 8, 43, 64, 65, 300}) {
            EventQueue queue = new EventQueue(slots);
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
