package dev.perch.kernel.fair;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.perch.kernel.TaskTable;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunqueueAllocationTest {
    private static final int TASKS = 100;
    private static final TaskGroups GROUPS =
            new TaskGroups(List.of(TaskGroups.Group.ofShares(0, 1024), TaskGroups.Group.ofShares(1, 512)));

    private final TaskTable tasks = new TaskTable(TASKS + 1, GROUPS.entities(2));
    private long now;

    @ParameterizedTest
    @ValueSource(strings = {"3.2", "3.13", "5.16", "6.6", "6.12", "6.18"})
    void enqueueingPickingTickingAndMovingAllocateNothing(String rules) {
        Runqueue[] queues =
                TestQueues.machine(rules, tasks, 2, 8, 250, "", GROUPS).byCpu();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int task = 1; task <= TASKS; task++) {
            LoadWeights.assign(tasks, task, TaskTable.POLICY_NORMAL, task % 10 - 5);
            tasks.group[task] = task % 3;
            queues[0].placeNew(task);
            queues[0].enqueueNew(task);
        }
        work(queues[0], queues[1], 2_000);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            work(queues[0], queues[1], 2_000);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        // The least of some rounds, because the virtual machine now and then allocates on its own behalf.
        assertThat(least).isZero();
    }

    private void work(Runqueue queue, Runqueue other, int steps) {
        for (int step = 0; step < steps; step++) {
            now += 700_000;
            queue.refresh(now);
            queue.tick();
            int running = queue.schedule(now);
            queue.dequeueSleep(running);
            int next = queue.schedule(now);
            if (tasks.onQueue[running]) {
                queue.requeueDelayed(running);
            } else {
                queue.prepareWakeup(running);
                queue.enqueueWakeup(running);
            }
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
