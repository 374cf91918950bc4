package dev.perch.kernel.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.LoadWeights;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.fair.Runqueues;
import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of scheduler.md 4.10 on four CPUs, of which 0 and 1, and 2 and 3, share a cache. */
class RealTimeBalanceTest implements MoveHost {
    private static final CpuMask ALL = CpuMask.of(0, 1, 2, 3);

    private final TaskTable tasks = new TaskTable(16);
    private final Runqueue[] queues = new Runqueues("3.2", tasks, 4).byCpu();
    private final SchedDomains domains =
            SchedDomains.build(TestMachines.named("Q6600"), List.of(ALL), DomainRules.named("3.2"));
    private final RealTimeBalance balance = new RealTimeBalance(queues, tasks, domains, this);
    private final List<String> moves = new ArrayList<>();
    private int created;

    @Override
    public long now() {
        return 0;
    }

    @Override
    public void moved(int task, int from, int to, boolean reschedule) {
        moves.add(task + ": " + from + " to " + to + (reschedule ? ", told" : ""));
    }

    /** A task that sleeps on a CPU. */
    private int task(int priority, int cpu, CpuMask allowed) {
        int task = ++created;
        if (priority == 0) {
            LoadWeights.assign(tasks, task, TaskTable.POLICY_NORMAL, 0);
        } else {
            LoadWeights.assignRealTime(tasks, task, TaskTable.POLICY_FIFO, priority);
        }
        tasks.allowed[task] = allowed;
        tasks.cpu[task] = cpu;
        return task;
    }

    private int running(int priority, int cpu, CpuMask allowed) {
        int task = waiting(priority, cpu, allowed);
        queues[cpu].schedule(0);
        assertThat(queues[cpu].current()).isEqualTo(task);
        return task;
    }

    private int waiting(int priority, int cpu, CpuMask allowed) {
        int task = task(priority, cpu, allowed);
        if (priority == 0) {
            queues[cpu].placeNew(task);
        }
        queues[cpu].enqueueNew(task);
        return task;
    }

    @Test
    void aWokenTaskStaysWhereNothingMoreUrgentRuns() {
        running(0, 0, ALL);
        assertThat(balance.select(task(10, 0, ALL), 3)).isZero();
        running(9, 1, ALL);
        assertThat(balance.select(task(10, 1, ALL), 3)).isEqualTo(1);
    }

    /** What runs on CPU 0, which CPU wakes, what runs on CPUs 1 to 3 (0: a fair task, −1: nothing), and where a task of priority 10 goes. */
    @ParameterizedTest
    @CsvSource({
        "10, 3, 0, -1, -1, 1", // the nearest first, though it runs a fair task: cpupri does not tell them apart
        "50, 2, 20, 0, 0, 2", // the waker's, if the first domain with low CPUs holds it
        "50, 1, 0, 0, 0, 1",
        "50, 1, 20, 0, 0, 2", // the waker's runs something more urgent: the first of the machine
        "50, 0, 9, 5, 7, 2", // the least urgent of all
        "50, 3, 10, 11, 12, 0", // nobody runs less: stays
    })
    void aWokenTaskWhoseCpuIsTakenGoesToTheLowestPriority(int own, int waker, int one, int two, int three, int chosen) {
        running(own, 0, ALL);
        int[] others = {one, two, three};
        for (int cpu = 1; cpu <= 3; cpu++) {
            if (others[cpu - 1] >= 0) {
                running(others[cpu - 1], cpu, ALL);
            }
        }
        assertThat(balance.select(task(10, 0, ALL), waker)).isEqualTo(chosen);
    }

    @Test
    void aWokenTaskGivesWayToABoundOneOfLowerPriority() {
        running(5, 0, CpuMask.of(0));
        assertThat(balance.select(task(10, 0, ALL), 0)).isEqualTo(1);
        assertThat(balance.select(task(10, 0, CpuMask.of(0)), 0)).isZero();
        assertThat(balance.select(task(10, 0, CpuMask.of(0, 3)), 0)).isEqualTo(3);
    }

    @Test
    void whatWaitsIsPushedTheMostUrgentFirst() {
        running(50, 0, ALL);
        running(30, 1, ALL);
        int low = waiting(20, 0, ALL);
        int high = waiting(40, 0, ALL);
        int bound = waiting(45, 0, CpuMask.of(0));
        balance.push(0, 0);

        assertThat(moves).containsExactly(high + ": 0 to 2, told", low + ": 0 to 3, told");
        assertThat(tasks.cpu[bound]).isZero();
        assertThat(queues[0].nrRealTime()).isEqualTo(2);
    }

    @Test
    void aCpuWhosePriorityDropsPullsWhatIsMoreUrgentThanItsRest() {
        running(50, 0, ALL);
        int far = waiting(20, 0, ALL);
        int bound = waiting(40, 0, CpuMask.of(0, 1));
        int left = running(60, 3, ALL);
        waiting(10, 3, ALL);
        queues[3].dequeueSleep(left);
        balance.pull(3, 60);

        assertThat(moves).containsExactly(far + ": 0 to 3");
        assertThat(tasks.cpu[bound]).isZero();
        assertThat(queues[3].schedule(0)).isEqualTo(far);
    }

    @Test
    void nothingIsPulledThatIsAboutToRunOrLessUrgent() {
        running(0, 0, ALL);
        waiting(20, 0, ALL); // preempts the fair task in a moment
        waiting(10, 0, ALL);
        int left = running(60, 3, ALL);
        waiting(15, 3, ALL);
        queues[3].dequeueSleep(left);
        balance.pull(3, 60);

        assertThat(moves).isEmpty();
    }

    @Test
    void anEqualThatIsBoundTakesTheCpuFromOneThatCanGoElsewhere() {
        int running = running(10, 0, ALL);
        int bound = waiting(10, 0, CpuMask.of(0));
        assertThat(queues[0].checkPreempt(bound)).isFalse();
        assertThat(balance.woken(bound, 0, 2)).isTrue();

        assertThat(queues[0].schedule(0)).isEqualTo(bound);
        balance.push(0, 0);
        assertThat(moves).containsExactly(running + ": 0 to 1, told");
    }

    @Test
    void anEqualThatCanGoElsewhereDoes() {
        running(10, 0, ALL);
        int other = waiting(10, 0, ALL);
        assertThat(balance.woken(other, 0, 2)).isFalse();
        assertThat(moves).containsExactly(other + ": 0 to 1, told");
    }
}
