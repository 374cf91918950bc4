package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.perch.kernel.TaskTable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tasks that run, sleep, wake, change CPUs and nice values at random on two CPUs; a plain model beside them knows who is where, and the
 * rules' own promises must hold after every step.
 */
class RandomScheduleTest {
    private static final int TASKS = 12;
    private static final long TICK = 4_000_000;

    /** Two nested groups and one with a limit, which is used up at times. */
    private static final TaskGroups GROUPS = new TaskGroups(List.of(
            TaskGroups.Group.ofShares(0, 1024),
            TaskGroups.Group.ofShares(1, 300),
            new TaskGroups.Group(0, 2048, false, new TaskGroups.Limit(5_000_000, 50_000_000, 0))));

    private TaskTable tasks = new TaskTable(TASKS + 1);
    private final long[] minVruntime = {Long.MIN_VALUE, Long.MIN_VALUE};
    private final int[] nice = new int[TASKS + 1];
    private Runqueue[] queues = new Runqueue[0];
    private boolean grouped;
    private boolean eevdf;
    private long delayedOnce;
    private long now;

    @ParameterizedTest
    @CsvSource({
        "3.2, 1",
        "3.8, 2",
        "3.13, 3",
        "4.8, 4",
        "4.15, 5",
        "5.13, 6",
        "5.16, 7",
        "6.1, 8",
        "6.6, 9",
        "6.6, 10",
        "6.12, 11",
        "6.12, 12",
        "6.12, 13",
        "6.18, 14",
        "6.18, 15",
        "6.18, 16"
    })
    void theRulesKeepTheirPromises(String rules, long seed) {
        Random random = new Random(seed);
        queues = TestQueues.of(rules, tasks, 2, 8, 250, "");
        start(rules, random);
        for (int step = 0; step < 20_000; step++) {
            now += random.nextInt(4) == 0 ? random.nextInt(2_000_000) : random.nextInt(100_000);
            step(random);
            check();
        }
        if (eevdf && !rules.equals("6.6")) {
            assertThat(delayedOnce).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3.2, 1",
        "3.13, 2",
        "4.15, 3",
        "5.16, 4",
        "6.1, 5",
        "6.6, 6",
        "6.6, 7",
        "6.12, 8",
        "6.12, 9",
        "6.12, 10",
        "6.18, 11",
        "6.18, 12"
    })
    void groupsAndLimitsLoseNobody(String rules, long seed) {
        Random random = new Random(seed);
        tasks = new TaskTable(TASKS + 1, GROUPS.entities(2));
        Runqueues machine = TestQueues.machine(rules, tasks, 2, 8, 250, "", GROUPS);
        queues = machine.byCpu();
        grouped = true;
        start(rules, random);
        boolean throttled = false;
        for (int step = 0; step < 20_000; step++) {
            now += random.nextInt(4) == 0 ? random.nextInt(2_000_000) : random.nextInt(100_000);
            if (TestQueues.due(machine) <= now) {
                TestQueues.expire(machine, now);
                reschedule(0);
                reschedule(1);
            }
            step(random);
            for (int cpu = 0; cpu < 2; cpu++) {
                assertThat(queues[cpu].current() == IDLE_TASK).isEqualTo(queues[cpu].nrRunning() == 0);
                assertThat(balanceList(queues[cpu])).containsExactlyInAnyOrderElementsOf(queued(cpu));
                throttled |= queues[cpu].nrRunning() < queued(cpu).size();
            }
        }
        assertThat(throttled).isTrue();
        while (TestQueues.due(machine) < Long.MAX_VALUE
                && queues[0].nrFair() + queues[1].nrFair()
                        < queued(0).size() + queued(1).size()) {
            now = TestQueues.due(machine);
            TestQueues.expire(machine, now);
        }
        assertThat(queues[0].nrFair()).isEqualTo(queued(0).size());
        assertThat(queues[1].nrFair()).isEqualTo(queued(1).size());
    }

    private void start(String rules, Random random) {
        eevdf = rules.equals("6.6") || rules.equals("6.12") || rules.equals("6.18");
        for (int task = 1; task <= TASKS; task++) {
            byte policy = (byte) (random.nextInt(8) == 0 ? random.nextInt(3) : 0);
            nice[task] = random.nextInt(11) - 5;
            LoadWeights.assign(tasks, task, policy, nice[task]);
            if (rules.compareTo("6.12") >= 0 && random.nextInt(3) == 0) {
                tasks.slice[task] = 100_000L + random.nextInt(5_000_000);
                tasks.customSlice[task] = true;
            }
            tasks.cpu[task] = random.nextInt(2);
            tasks.group[task] = grouped ? task % 4 : 0;
            Runqueue queue = queues[tasks.cpu[task]];
            queue.placeNew(task);
            queue.enqueueNew(task);
            queue.checkPreemptByNew(task);
        }
    }

    private void step(Random random) {
        int cpu = random.nextInt(2);
        Runqueue queue = queues[cpu];
        int task = 1 + random.nextInt(TASKS);
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                queue.refresh(now);
                queue.tick();
                reschedule(cpu);
            }
            case 2 -> block(cpu);
            case 3, 4, 5 -> wake(task, random.nextInt(2));
            case 6 -> pull(task, cpu);
            default -> {
                if (tasks.policy[task] != TaskTable.POLICY_IDLE && random.nextInt(10) == 0) {
                    nice[task] = random.nextInt(11) - 5;
                    queues[tasks.cpu[task]].refresh(now);
                    queues[tasks.cpu[task]].renice(task, nice[task]);
                } else if (queue.current() != IDLE_TASK && random.nextInt(10) == 0) {
                    queue.refresh(now);
                    queue.yieldCurrent();
                    queue.requestReschedule();
                }
            }
        }
        reschedule(0);
        reschedule(1);
    }

    private void reschedule(int cpu) {
        if (queues[cpu].reschedulePending()) {
            schedule(cpu);
        }
    }

    private void schedule(int cpu) {
        Runqueue queue = queues[cpu];
        int next = queue.schedule(now);
        assertThat(queue.current()).isEqualTo(next);
        assertThat(queue.reschedulePending()).isFalse();
        if (next == IDLE_TASK) {
            assertThat(queue.nrRunning()).isZero();
            return;
        }
        assertThat(tasks.onQueue[next]).isTrue();
        assertThat(tasks.delayed[next]).isFalse();
        assertThat(tasks.cpu[next]).isEqualTo(cpu);
        if (eevdf && !grouped) {
            assertThat(isEligible(next)).as("a picked task is owed time").isTrue();
        }
    }

    private void block(int cpu) {
        Runqueue queue = queues[cpu];
        int task = queue.current();
        if (task == IDLE_TASK) {
            return;
        }
        queue.refreshForSwitch(now);
        boolean eligible = isEligible(task);
        long before = tasks.sumExec[task];
        queue.dequeueSleep(task);
        boolean charged = tasks.sumExec[task] != before;
        if (grouped) {
            delayedOnce++;
        } else if (tasks.delayed[task]) {
            delayedOnce++;
            assertThat(isEligible(task)).isFalse();
        } else if (!charged && delaysSleepers()) {
            assertThat(eligible).isTrue();
        }
        queue.runsDry();
        schedule(cpu);
    }

    private boolean delaysSleepers() {
        return delayedOnce > 0;
    }

    private void wake(int task, int target) {
        if (tasks.onQueue[task] && !tasks.delayed[task]) {
            return;
        }
        int cpu = tasks.delayed[task] ? tasks.cpu[task] : target;
        if (tasks.delayed[task]) {
            queues[cpu].refresh(now);
            queues[cpu].requeueDelayed(task);
        } else {
            queues[tasks.cpu[task]].prepareWakeup(task);
            if (cpu != tasks.cpu[task]) {
                queues[tasks.cpu[task]].leaveForWakeup(task);
                tasks.cpu[task] = cpu;
            }
            queues[cpu].refresh(now);
            queues[cpu].enqueueWakeup(task);
        }
        queues[cpu].checkPreempt(task);
    }

    private void pull(int task, int to) {
        int from = tasks.cpu[task];
        if (!tasks.onQueue[task] || from == to || queues[from].current() == task) {
            return;
        }
        boolean delayed = tasks.delayed[task];
        queues[from].refresh(now);
        queues[from].dequeueMoved(task);
        tasks.cpu[task] = to;
        queues[to].refresh(now);
        queues[to].enqueueMoved(task);
        assertThat(tasks.delayed[task]).isEqualTo(delayed);
        queues[to].checkPreempt(task);
    }

    private void check() {
        for (int cpu = 0; cpu < 2; cpu++) {
            Runqueue queue = queues[cpu];
            List<Integer> here = queued(cpu);
            assertThat(queue.nrRunning()).isEqualTo(here.size());
            assertThat(queue.weight())
                    .isEqualTo(
                            here.stream().mapToLong(task -> tasks.weight[task]).sum());
            assertThat(queue.nrIdlePolicy()).isEqualTo((int) here.stream()
                    .filter(task -> tasks.policy[task] == TaskTable.POLICY_IDLE)
                    .count());
            assertThat(queue.nrDelayed()).isEqualTo((int)
                    here.stream().filter(task -> tasks.delayed[task]).count());
            assertThat(balanceList(queue)).containsExactlyInAnyOrderElementsOf(here);
            assertThat(queue.current() == IDLE_TASK)
                    .as("idle with work waiting")
                    .isEqualTo(here.isEmpty());
            assertThat(queue.minVruntime()).isGreaterThanOrEqualTo(minVruntime[cpu]);
            minVruntime[cpu] = queue.minVruntime();
        }
        for (int task = 1; task <= TASKS; task++) {
            assertThat(tasks.delayed[task] && !tasks.onQueue[task]).isFalse();
        }
    }

    private List<Integer> queued(int cpu) {
        List<Integer> here = new ArrayList<>();
        for (int task = 1; task <= TASKS; task++) {
            if (tasks.onQueue[task] && tasks.cpu[task] == cpu) {
                here.add(task);
            }
        }
        return here;
    }

    private static List<Integer> balanceList(Runqueue queue) {
        List<Integer> list = new ArrayList<>();
        for (int task = queue.firstInList(); task != IDLE_TASK; task = queue.nextInList(task)) {
            list.add(task);
        }
        return list;
    }

    /** Σ (v − own v) · weight ≥ 0 over all that are queued, without rounding. */
    private boolean isEligible(int task) {
        BigInteger sum = BigInteger.ZERO;
        for (int other : queued(tasks.cpu[task])) {
            BigInteger distance = BigInteger.valueOf(tasks.vruntime[other] - tasks.vruntime[task]);
            sum = sum.add(distance.multiply(BigInteger.valueOf(tasks.weight[other])));
        }
        return sum.signum() >= 0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.2", "3.13", "5.16", "6.1", "6.6", "6.12", "6.18"})
    void hogsShareACpuByTheirWeightsAndNobodyFallsFarBehind(String rules) {
        Runqueue queue = TestQueues.of(rules, tasks, 1, 8, 250, "")[0];
        int[] nices = {0, -5, 5, 0, 3, -2};
        long total = 0;
        for (int i = 0; i < nices.length; i++) {
            LoadWeights.assign(tasks, i + 1, TaskTable.POLICY_NORMAL, nices[i]);
            queue.placeNew(i + 1);
            queue.enqueueNew(i + 1);
            total += tasks.weight[i + 1];
        }
        queue.schedule(0);
        boolean deadlines = rules.startsWith("6.") && !rules.equals("6.1");
        for (long tick = 1; tick <= 50_000; tick++) {
            queue.refresh(tick * TICK);
            if (queue.tick()) {
                queue.schedule(tick * TICK);
            }
            if (deadlines && tick % 10 == 0) {
                boundLag(nices.length);
            }
        }

        for (int task = 1; task <= nices.length; task++) {
            double share = tasks.sumExec[task] / (50_000.0 * TICK);
            assertThat(share).isCloseTo(tasks.weight[task] / (double) total, within(0.002));
        }
    }

    /** Nobody is owed or owes more than a request and a tick of its own: the bound of EEVDF for requests that end at ticks. */
    private void boundLag(int count) {
        VirtualAverage average = new VirtualAverage(tasks.vruntime[1]);
        for (int task = 1; task <= count; task++) {
            average.add(tasks.vruntime[task], tasks.weight[task]);
        }
        for (int task = 1; task <= count; task++) {
            long lag = (average.value() - tasks.vruntime[task]) * tasks.weight[task] / 1024;
            assertThat(Math.abs(lag)).isLessThanOrEqualTo(tasks.slice[task] + 2 * TICK);
        }
    }
}
