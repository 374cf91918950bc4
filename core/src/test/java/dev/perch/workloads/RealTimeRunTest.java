package dev.perch.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.sim.Simulation;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real-time tasks in runs, as in schedules made by hand from the rules of scheduler.md 4.10: what one call or switch takes is below 0.1 ms. */
class RealTimeRunTest {
    private static final long MS = 1_000_000;

    private static Observed run(String tasks, String kernel, int ms) {
        return Observed.of("./x.yaml", "title: x\ntasks:\n" + tasks.indent(2), kernel, ms, "hz=1000");
    }

    /** Five tasks on four CPUs, all due every 20 ms: the four urgent ones run at once, the fifth when the first of them is done. */
    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v3.9", "v5.4", "v5.16", "v6.1", "v6.6", "v6.12", "v6.18"})
    void theMostUrgentRunOnAllCpusWhereverTheyWereWoken(String kernel) {
        Observed seen = run("""
                urgent: {copies: 4, policy: fifo, priority: 50, phases: [{compute: 5 ms}, {timer: 20 ms}, count]}
                other: {policy: fifo, priority: 10, phases: [{compute: 5 ms}, {timer: 20 ms}, count]}
                hog: {copies: 8, phases: [{compute: 1 ms}, count]}
                """, kernel, 200);
        for (int urgent = 1; urgent <= 4; urgent++) {
            assertThat(seen.startsMs(urgent)).containsExactly(0L, 20L, 40L, 60L, 80L, 100L, 120L, 140L, 160L, 180L);
            assertThat(seen.of(urgent)).allMatch(stay -> Math.abs(stay.length() - 5 * MS) < MS / 10);
        }
        // but for the moment before the urgent ones are there
        assertThat(seen.of(5).stream().filter(stay -> stay.length() > MS).map(stay -> Math.round(stay.from() / 1e6)))
                .containsExactly(5L, 25L, 45L, 65L, 85L, 105L, 125L, 145L, 165L, 185L);
    }

    /** high and low share CPU 0 until middle leaves CPU 1, which then fetches low. */
    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v5.16", "v6.12"})
    void aCpuThatARealTimeTaskLeavesFetchesOneThatWaits(String kernel) {
        Observed seen = run("""
                high: {cpus: 0, policy: fifo, priority: 20, times: 1, phases: [{compute: 30 ms}, count]}
                middle: {cpus: 1, policy: fifo, priority: 15, times: 1, phases: [{compute: 10 ms}]}
                low: {cpus: 0-1, policy: fifo, priority: 10, times: 1, phases: [{compute: 30 ms}]}
                """, kernel, 60);
        assertThat(seen.of(3)).hasSize(1);
        Observed.Stay low = seen.of(3).getFirst();
        assertThat(low.cpu()).isEqualTo(1);
        assertThat(low.from()).isCloseTo(10 * MS, within(MS / 5));
        assertThat(low.to()).isCloseTo(40 * MS, within(MS / 5));
    }

    /** Turns of 100 ms; what an interruption left of a turn is used up after it. */
    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v6.12"})
    void roundRobinTasksTakeTurnsAlsoAroundAnInterruption(String kernel) {
        Observed seen = run("""
                a: {cpus: 0, policy: rr, priority: 5, phases: [{compute: 1 ms}, count]}
                b: {cpus: 0, policy: rr, priority: 5, phases: [{compute: 1 ms}]}
                urgent: {cpus: 0, delay: 40 ms, policy: fifo, priority: 9, times: 1, phases: [{compute: 20 ms}]}
                """, kernel, 500);
        long first = seen.stays.stream()
                .filter(stay -> stay.task() == 1 && stay.from() < 110 * MS)
                .mapToLong(Observed.Stay::length)
                .sum();
        assertThat(first).isCloseTo(100 * MS, within(2 * MS));
        Observed.Stay ofB = seen.of(2).stream()
                .filter(stay -> stay.length() > MS)
                .findFirst()
                .orElseThrow();
        assertThat(ofB.from()).isCloseTo(120 * MS, within(2 * MS));
        assertThat(ofB.length()).isCloseTo(100 * MS, within(2 * MS));
    }

    /** 950 ms of each second beside a fair task; alone too until 6.12 brought the fair server. */
    @ParameterizedTest
    @CsvSource({
        "v3.2, true, 950",
        "v5.16, true, 950",
        "v6.12, true, 950",
        "v3.2, false, 950",
        "v5.16, false, 950",
        "v6.12, false, 1000"
    })
    void realTimeTasksAreThrottled(String kernel, boolean beside, double expected) {
        String fair = beside ? "fair: {cpus: 0, phases: [{compute: 1 ms}]}\n" : "";
        Observed seen = run(
                "loop: {cpus: 0, policy: fifo, priority: 5, phases: [{compute: 1 ms}, count]}\n" + fair, kernel, 4000);
        assertThat(seen.figure("loop operations")).isCloseTo(expected, within(3.0));
        if (beside) {
            assertThat(seen.timeOnCpu(2) / 1e6 / 4).isCloseTo(50, within(3.0));
        }
    }

    /** 100 + 20 + nice for fair tasks, 99 − priority for real-time ones. */
    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v6.12"})
    void eventsTellTheKernelsPriorities(String kernel) {
        String text = """
                title: all sorts
                threads: true
                tasks:
                  plain: {phases: [{compute: 100 us}, {sleep: 1 ms}, count]}
                  nice: {nice: -5, phases: [{compute: 100 us}, {sleep: 1 ms}]}
                  batch: {policy: batch, nice: 19, phases: [{compute: 100 us}, {sleep: 1 ms}]}
                  idle: {policy: idle, phases: [{compute: 100 us}, {sleep: 1 ms}]}
                  fifo: {policy: fifo, priority: 99, phases: [{compute: 100 us}, {sleep: 1 ms}]}
                  rr: {policy: rr, phases: [{compute: 100 us}, {sleep: 1 ms}]}
                """;
        SortedMap<Integer, Integer> prios = new TreeMap<>();
        Simulation.run(
                Observed.spec("./x.yaml", text, kernel, 100),
                new SchedEvents() {
                    private void saw(int task, int prio) {
                        assertThat(prios.merge(task, prio, (old, now) -> old)).isEqualTo(prio);
                    }

                    @Override
                    public void switched(
                            long ns, int cpu, int prev, int prevPrio, TaskState state, int next, int nextPrio) {
                        saw(prev, prevPrio);
                        saw(next, nextPrio);
                    }

                    @Override
                    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
                        saw(wakee, prio);
                    }

                    @Override
                    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int target) {
                        saw(wakee, prio);
                    }

                    @Override
                    public void migrated(long ns, int cpu, int current, int task, int prio, int from, int to) {
                        saw(task, prio);
                    }
                },
                new TaskNames());
        assertThat(prios.values()).containsExactly(120, 120, 115, 139, 120, 0, 98);
    }

    @Test
    void aPhaseThatChangesItsNiceValueShowsIt() {
        int[] last = new int[2];
        Simulation.run(
                Observed.spec("./f.json", """
                        { "tasks" : { "t" : { "phases" : {
                            "a" : { "priority" : 3, "run" : 100, "sleep" : 100 } } } } }""", "v6.12", 20),
                new SchedEvents() {
                    @Override
                    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
                        last[wakee] = prio;
                    }
                },
                new TaskNames());
        assertThat(last[1]).isEqualTo(123);
    }
}
