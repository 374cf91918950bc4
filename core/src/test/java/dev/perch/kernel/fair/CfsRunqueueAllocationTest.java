package dev.perch.kernel.fair;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.perch.kernel.TaskTable;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CfsRunqueueAllocationTest {
    private static final int TASKS = 100;

    private final TaskTable tasks = new TaskTable(TASKS + 1);
    private final CfsTunables tunables = CfsTunables.scaled(8, Map.of());
    private final CfsRunqueue queue = new CfsRunqueue(0, tasks, tunables, CfsFeatures.DEFAULT);
    private final CfsRunqueue other = new CfsRunqueue(1, tasks, tunables, CfsFeatures.DEFAULT);
    private long now;

    @Test
    void enqueueingPickingTickingAndMovingAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int task = 1; task <= TASKS; task++) {
            LoadWeights.assign(tasks, task, TaskTable.POLICY_NORMAL, task % 10 - 5);
            queue.enqueueMoved(task);
        }
        work(2_000);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            work(2_000);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        // The least of some rounds, because the virtual machine now and then allocates on its own behalf.
        assertThat(least).isZero();
    }

    private void work(int steps) {
        for (int step = 0; step < steps; step++) {
            now += 700_000;
            queue.refresh(now);
            queue.tick();
            int running = queue.schedule(now);
            queue.dequeueSleep(running);
            int next = queue.schedule(now);
            queue.prepareWakeup(running);
            queue.enqueueWakeup(running);
            queue.checkPreempt(running);
            int newest = queue.firstInList();
            if (newest != next) {
                queue.dequeueMoved(newest);
                other.refresh(now);
                other.enqueueMoved(newest);
                other.dequeueMoved(newest);
                queue.enqueueMoved(newest);
                queue.moveToTail(newest);
            }
            queue.yieldCurrent();
        }
    }
}
