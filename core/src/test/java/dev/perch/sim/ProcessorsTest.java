package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.CpuMask;
import dev.perch.model.Frequencies;
import dev.perch.model.HardwareModel;
import dev.perch.model.IdleState;
import dev.perch.model.LineTransfer;
import dev.perch.model.Machine;
import dev.perch.model.SmtSpeed;
import dev.perch.model.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessorsTest {
    private final EventQueue queue = new EventQueue(4);
    private final Processors processors = new Processors(twoCoresOfTwoThreads(), queue, 0);

    /** Cores {0,1} and {2,3}; a thread beside a busy one runs at half speed, beside a spinning one at three quarters. */
    private static Machine twoCoresOfTwoThreads() {
        List<CpuMask> all = List.of(CpuMask.range(0, 3));
        Topology topology =
                new Topology(4, List.of(CpuMask.of(0, 1), CpuMask.of(2, 3)), null, all, all, all, new int[][] {{10}});
        Cost[] costs = new Cost[CostItem.all().length];
        Arrays.fill(costs, Cost.NONE);
        HardwareModel model = new HardwareModel(
                costs,
                new LineTransfer(0, new long[7], new long[1][1]),
                new SmtSpeed(500, 750, 0),
                List.of(new IdleState("C1", 1, 1, 100, true)),
                new Frequencies(
                        2_000_000,
                        List.of(1_000_000, 2_000_000),
                        0,
                        List.of(),
                        10,
                        Frequencies.Domain.PACKAGE,
                        Frequencies.Policy.CPU),
                Map.of());
        return new Machine("test", "", "", topology, List.of(), model, Map.of());
    }

    private void expectEnd(int cpu, long at) {
        assertThat(queue.timeOf(cpu)).isEqualTo(at);
    }

    @Test
    void workTakesItsWallAndItsCoreTimeAtNominalClockAlone() {
        processors.setExecuting(0, true, 0);
        processors.start(0, 1000, 250, 100);
        expectEnd(0, 1350);
    }

    @Test
    void halfTheClockDoublesTheCorePartOnly() {
        processors.setClock(0, 1_000_000, 2_000_000, 0);
        processors.start(0, 1000, 250, 0);
        expectEnd(0, 2250);
    }

    @Test
    void aSiblingThatBeginsToExecuteSlowsWhatIsLeft() {
        processors.start(0, 1000, 0, 0);
        processors.setExecuting(1, true, 400);
        expectEnd(0, 400 + 600 * 2);
        processors.setExecuting(1, false, 800); // 200 of the 600 are done
        expectEnd(0, 800 + 400);
    }

    @Test
    void aSiblingDoesNotSlowTheWallPart() {
        processors.start(0, 1000, 500, 0);
        processors.setExecuting(1, true, 0);
        expectEnd(0, 500 + 2000);
    }

    @Test
    void anotherCoreDoesNotMatter() {
        processors.start(0, 1000, 0, 0);
        processors.setExecuting(2, true, 0);
        expectEnd(0, 1000);
    }

    @Test
    void aSpinningSiblingSlowsByItsOwnFactorAndABusyOneCountsMore() {
        processors.start(0, 300, 0, 0);
        processors.setPolling(1, true, 0);
        expectEnd(0, 400);
        processors.setExecuting(1, true, 0);
        expectEnd(0, 600);
    }

    @Test
    void aClockChangeInTheMiddleRetimesWhatIsLeft() {
        processors.start(0, 1000, 0, 0);
        processors.setClock(0, 1_000_000, 2_000_000, 500);
        expectEnd(0, 1500);
    }

    @Test
    void interruptedWorkKeepsWhatIsLeft() {
        processors.start(0, 1000, 200, 0);
        processors.interrupt(0, 500);
        expectEnd(0, EventQueue.NEVER);
        assertThat(processors.wallLeft(0)).isZero();
        assertThat(processors.coreLeft(0)).isEqualTo(700);
    }

    @Test
    void extendedWorkEndsLater() {
        processors.start(0, 1000, 0, 0);
        processors.extend(0, 100, 50, 600);
        expectEnd(0, 1150);
    }
}
