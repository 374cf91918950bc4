package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoadAllocationTest {
    private static final long WEIGHT = 1024;

    @ParameterizedTest
    @EnumSource(names = {"V4_17", "V5_14", "V6_12"})
    void trackingLoadAllocatesNothing(LoadTracking era) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Work work = new Work(era);
        work.steps(5_000);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            work.steps(5_000);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        // The least of some rounds, because the virtual machine now and then allocates on its own behalf.
        assertThat(least).isZero();
    }

    private static final class Work {
        private final EntityLoads entities;
        private final QueueLoads queues;
        private final UtilEst estimates;
        private final RunnableAverages first = new RunnableAverages(1, 2);
        private final PeltClock clock = new PeltClock(2);
        private final IdleTime idle;
        private final ScanCost cost = new ScanCost(2);
        private final WakeFlips flips;
        private final GroupShares shares;
        private final IdleScanLimit limit = new IdleScanLimit(2);
        private long now;

        Work(LoadTracking era) {
            entities = new EntityLoads(1, era.pelt());
            queues = new QueueLoads(era, 2, entities);
            estimates = new UtilEst(era, true, 1, 2);
            idle = new IdleTime(500_000, era.idleTime());
            flips = new WakeFlips(era.flips(), 2);
            shares = new GroupShares(era, 1, 2);
            entities.beginTask(0, WEIGHT);
            queues.attachNew(0, 0, WEIGHT, 1024);
            first.begin(0, 0, 0, WEIGHT);
            first.enqueue(0, 0, 0, WEIGHT);
        }

        void steps(int count) {
            for (int step = 0; step < count; step++) {
                int here = step & 1;
                now += 700_000;
                clock.advance(here, now, false, 1024, 800);
                if (entities.updateTask(0, now, WEIGHT, true, true)) {
                    estimates.changed(0);
                }
                queues.update(here, now, WEIGHT, 1, true);
                queues.dequeued(0, WEIGHT);
                estimates.dequeue(here, 0);
                estimates.slept(0, entities.util(0), entities.runnable(0), 1024);
                clock.enterIdle(here, queues.averages().utilSum(here));
                queues.remove(0, WEIGHT);
                queues.update(1 - here, now, 0, 0, false);
                queues.attach(1 - here, 0, WEIGHT);
                queues.enqueued(0, WEIGHT);
                estimates.enqueue(1 - here, 0);
                first.dequeue(0, here, now, WEIGHT, true);
                first.removed(0, now, WEIGHT);
                first.enqueue(0, 1 - here, now, WEIGHT);
                idle.begin(now - 1000);
                idle.end(now, step);
                cost.fold(here, idle.forSearches(step));
                flips.record(here, 1 - here, now);
                shares.contribute(here, 0, now, queues.load(here));
                shares.weight(here, 0, 1024, queues.load(here));
                limit.update(0, queues.util(0), 2, 117);
            }
        }
    }
}
