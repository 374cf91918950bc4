package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.sim.SimulationResult.Figure;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expected: the anatomy of spec scheduler.md 9. */
class BigWorkloadsTest {
    private static SimulationSpec spec(String workload) {
        return Specs.spec("e5620", "v3.8", workload, Settings.DEFAULT, "");
    }

    private static double figure(SimulationResult.Instance instance, String name) {
        return instance.figures().stream()
                .filter(figure -> figure.name().equals(name))
                .mapToDouble(Figure::value)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "hackbench:groups=2;loops=5, 4000",
        "hackbench:groups=1;loops=7;tasks=threads;channel=socket, 2800",
        "messaging:groups=1;loops=3, 1200",
        "hackbench:groups=3;fan=4;loops=40, 1920",
    })
    void everyMessageOfHackbenchArrives(String workload, long messages) {
        SimulationResult result = Simulation.run(spec(workload.replace(';', ',')));
        assertThat(result.instances().getFirst().operations()).isEqualTo(messages);
        assertThat(result.instances().getFirst().value()).isPositive();
    }

    @Test
    void hackbenchForksItsChildrenAndEndsWithTheLastOfThem() {
        int[] count = new int[4];
        SchedEvents listener = new SchedEvents() {
            @Override
            public void forked(long ns, int cpu, int parent, int child) {
                count[0]++;
            }

            @Override
            public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
                count[1] += current == 0 ? 0 : 1;
            }

            @Override
            public void exited(long ns, int cpu, int pid, int prio) {
                count[2]++;
            }

            @Override
            public void switched(long ns, int cpu, int prev, int prevPrio, TaskState state, int next, int nextPrio) {
                count[3] += state == TaskState.DEAD ? 1 : 0;
            }
        };
        Simulation.run(spec("hackbench:groups=2,loops=3"), listener, new TaskNames());
        assertThat(count[0]).isEqualTo(80);
        assertThat(count[1]).isEqualTo(80);
        // the parent too; nobody waits until the last ones have been switched away from
        assertThat(count[2]).isEqualTo(81);
        assertThat(count[3]).isBetween(70, 81);
    }

    @Test
    void moreLoopsTakeLonger() {
        double few = Simulation.run(spec("hackbench:groups=1,loops=10"))
                .instances()
                .getFirst()
                .value();
        double many = Simulation.run(spec("hackbench:groups=1,loops=100"))
                .instances()
                .getFirst()
                .value();
        assertThat(many).isGreaterThan(2 * few);
    }

    @Test
    void theTimeOfALongRunCanBeStatedFromAShortOne() {
        SimulationResult.Instance part = Simulation.run(spec("hackbench:groups=1,loops=10,stated=1000"))
                .instances()
                .getFirst();
        SimulationResult.Instance itself =
                Simulation.run(spec("hackbench:groups=1,loops=10")).instances().getFirst();
        assertThat(part.value()).isCloseTo(100 * itself.value(), Percentage.withPercentage(0.001));
        assertThat(part.operations()).isEqualTo(4000);
    }

    @Test
    void searchesOfTheCacheFailWhenThereAreMoreTasksThanCpus() {
        SimulationResult few =
                Simulation.run(Specs.spec("kunpeng-920", "v5.16-rc1", "tcp-rr*4", Settings.DEFAULT, "0-31"));
        SimulationResult many =
                Simulation.run(Specs.spec("kunpeng-920", "v5.16-rc1", "tcp-rr*48", Settings.DEFAULT, "0-31"));
        assertThat(few.scans().failed()).isZero();
        assertThat(many.scans().failed())
                .isPositive()
                .isLessThanOrEqualTo(many.scans().made());
        assertThat(many.scans().made()).isLessThanOrEqualTo(many.wakeups());
        assertThat(many.scans().probes()).isGreaterThanOrEqualTo(many.scans().made());
    }

    @Test
    void aWorkloadThatDoesNotEndInTimeIsAnErrorOfOneLine() {
        assertThatThrownBy(() -> Simulation.run(Specs.lasting(spec("hackbench:groups=1,loops=1000"), 10_000_000)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("has not ended after 10 ms")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void tbenchCountsAsManyBytesAnOperationAsTheLoadFile() {
        SimulationResult.Instance tbench =
                Simulation.run(spec("tbench:clients=8")).instances().getFirst();
        // 184.2 operations per MB; so many draws of so uneven sizes scatter by about 2 %
        assertThat(figure(tbench, "operations") / tbench.value()).isCloseTo(184.2, Percentage.withPercentage(6));
    }

    @Test
    void schbenchOnAnIdleMachineWakesInMicroseconds() {
        SimulationResult.Instance schbench = Simulation.run(spec("schbench:messages=1,workers=2"))
                .instances()
                .getFirst();
        assertThat(figure(schbench, "wakeup latency p50")).isBetween(0.5, 50.0);
        // 100 us of input and output and five pieces of 600 us, at clocks from 1.6 to 2.67 GHz
        assertThat(figure(schbench, "request latency p50")).isBetween(2_700.0, 5_500.0);
        assertThat(schbench.operations()).isBetween(70L, 150L);
    }

    @Test
    void schbenchOnAnOverloadedMachineWaitsForTheTick() {
        SimulationResult.Instance schbench = Simulation.run(spec("schbench:messages=1,workers=24"))
                .instances()
                .getFirst();
        assertThat(figure(schbench, "wakeup latency p99")).isGreaterThan(figure(schbench, "wakeup latency p50"));
        assertThat(figure(schbench, "request latency p99")).isGreaterThan(6_000);
    }

    @Test
    void oltpFindsFewerIdleCpusWithMoreClients() {
        SimulationResult few = Simulation.run(spec("oltp:threads=2"));
        SimulationResult many = Simulation.run(spec("oltp:threads=32"));
        double shareFew = (double) few.placedOnBusy() / few.wakeups();
        double shareMany = (double) many.placedOnBusy() / many.wakeups();
        assertThat(shareMany).isGreaterThan(10 * shareFew).isGreaterThan(0.2);
        assertThat(many.instances().getFirst().operations())
                .isGreaterThan(few.instances().getFirst().operations());
    }

    @Test
    void aReadOnlyTransactionNeedsNoLog() {
        double readOnly = Simulation.run(spec("oltp:threads=2,mode=read-only"))
                .instances()
                .getFirst()
                .value();
        double readWrite =
                Simulation.run(spec("oltp:threads=2")).instances().getFirst().value();
        assertThat(readOnly).isGreaterThan(readWrite);
    }

    @Test
    void futexWakesEveryWaiterInEachRound() {
        SimulationResult.Instance futex =
                Simulation.run(spec("futex:waiters=6,wake=4")).instances().getFirst();
        assertThat(futex.operations()).isGreaterThan(1000);
    }

    @Test
    void aWakerOfSemaphoreWakesMoreWithOneCallForMany() {
        // the call costs 155 ns for each thread or once for all; a worker works 1000 ns at a time
        double single = Simulation.run(spec("semaphore:threads=6,wake=1"))
                .instances()
                .getFirst()
                .value();
        double many = Simulation.run(spec("semaphore:threads=6,wake=6"))
                .instances()
                .getFirst()
                .value();
        assertThat(single).isGreaterThan(1000);
        assertThat(many).isGreaterThan(single).isLessThan(6 * 1e9 / 1000);
    }

    @Test
    void periodicActivatesOncePerPeriodAndSkipsWhatItMisses() {
        SimulationResult.Instance easy =
                Simulation.run(spec("periodic:period=1000,run=100")).instances().getFirst();
        assertThat(easy.operations()).isBetween(199L, 201L);
        SimulationResult.Instance hard =
                Simulation.run(spec("periodic:period=100,run=1000")).instances().getFirst();
        assertThat(hard.operations()).isLessThan(300);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hackbench:groups=2,loops=20",
                "messaging:groups=2,loops=20",
                "socketpair*2",
                "futex-pair",
                "tbench:clients=4",
                "schbench",
                "oltp",
                "semaphore",
                "semaphore:threads=20,wake=8",
                "futex",
                "periodic*3"
            })
    void equalSpecsGiveEqualEvents(String workload) {
        long digest = Simulation.run(spec(workload)).digest();
        assertThat(Simulation.run(spec(workload)).digest()).isEqualTo(digest);
        assertThat(Simulation.run(Specs.seeded(spec(workload), 2)).digest()).isNotEqualTo(digest);
    }
}
