package dev.perch.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.perch.sim.Simulation;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What rt-app's documentation says that its events do, watched in runs. Times of events themselves are below 0.1 ms. */
class RtAppRunTest {
    private static final long MS = 1_000_000;
    private static final Offset<Long> NEAR = within(MS / 10);

    private static Observed run(String tasks, int ms) {
        return Observed.of("./file.json", "{\"tasks\" : {" + tasks + "}}", "v3.9", ms);
    }

    @Test
    void runsAndSleepsForTheGivenTimes() {
        Observed seen = run("\"t\" : { \"run\" : 2000, \"sleep\" : 8000 }", 100);
        List<Observed.Stay> stays = seen.of(1);
        assertThat(stays).hasSizeBetween(9, 10);
        for (int i = 1; i < stays.size(); i++) {
            assertThat(stays.get(i).length()).isCloseTo(2 * MS, NEAR);
            assertThat(stays.get(i).from() - stays.get(i - 1).to()).isCloseTo(8 * MS, NEAR);
        }
    }

    @Test
    void aTimerKeepsItsPeriodWhileASleepAddsToTheRun() {
        Observed timer =
                run("\"t\" : { \"run\" : 3000, \"timer\" : { \"ref\" : \"unique\", \"period\" : 10000 } }", 95);
        assertThat(timer.startsMs(1)).containsExactly(0L, 10L, 20L, 30L, 40L, 50L, 60L, 70L, 80L, 90L);
        Observed sleep = run("\"t\" : { \"run\" : 3000, \"sleep\" : 10000 }", 60);
        assertThat(sleep.startsMs(1)).containsExactly(0L, 13L, 26L, 39L, 52L);
    }

    /** Period 20 ms; the third pass works for 25 ms, so that the activation at 60 ms is missed. */
    @ParameterizedTest
    @CsvSource({"relative, 85, 105", "absolute, 80, 100"})
    void aMissedActivationMovesARelativeTimerAndNotAnAbsoluteOne(String mode, long next, long afterThat) {
        String timer = "\"timer\" : { \"ref\" : \"unique\", \"period\" : 20000, \"mode\" : \"" + mode + "\" }";
        Observed seen = run("""
                "t" : { "loop" : 1, "phases" : {
                  "first" : { "loop" : 2, "run" : 10000, %1$s },
                  "long" : { "run" : 25000, %1$s },
                  "last" : { "loop" : 3, "run" : 10000, %1$s } } }""".formatted(timer), 118);
        assertThat(seen.startsMs(1)).containsExactly(0L, 20L, 40L, next, afterThat);
        assertThat(seen.figure("t missed activations")).isCloseTo(1 / 0.118, within(0.01));
    }

    @Test
    void tasksShareATimerUnlessItsNameBeginsWithUnique() {
        String period = "\"instance\" : 2, \"run\" : 1000, \"timer\" : { \"ref\" : \"%s\", \"period\" : 10000 }";
        assertThat(run("\"t\" : {" + period.formatted("uniqueA") + "}", 95).startsMs(1))
                .hasSize(10);
        // of two tasks that take turns with one timer, each goes on at every second activation
        assertThat(run("\"t\" : {" + period.formatted("tick") + "}", 95).startsMs(1))
                .hasSizeBetween(4, 6);
    }

    @Test
    void slackIsTheTimeThatIsLeftUntilTheTimerIsDue() {
        Observed seen =
                run("\"t\" : { \"run\" : 3000, \"timer\" : { \"ref\" : \"unique\", \"period\" : 10000 } }", 500);
        assertThat(seen.figure("t slack p50")).isCloseTo(7000, within(100.0));
        assertThat(seen.figure("t wakeup latency p50")).isBetween(0.5, 100.0);
        assertThat(seen.figure("t activations")).isCloseTo(100, within(2.0));
    }

    /** CPUs 3 and 7 of the e5620 are threads of one core; beside a busy one the other goes at 0.6 of its speed. */
    @ParameterizedTest
    @CsvSource({"run, 20", "runtime, 12"})
    void workTakesLongerOnASlowerCpuAndTimeDoesNot(String event, int ms) {
        Observed seen = Observed.on("e5620", "./file.json", """
                { "tasks" : { "t" : { "cpus" : [3], "%s" : 12000, "sleep" : 10000 },
                              "sibling" : { "cpus" : [7], "run" : 10000 } } }""".formatted(event), "v3.9", 100);
        assertThat(seen.of(1).get(1).length()).isCloseTo(ms * MS, within(MS / 5));
    }

    @Test
    void runtimeGoesOnWhileTheTaskIsPreempted() {
        Observed seen = run("""
                "time" : { "loop" : 1, "cpus" : [0], "runtime" : 40000 },
                "other" : { "cpus" : [0], "run" : 1000 }""", 200);
        assertThat(seen.exits).hasSize(1);
        long lived = seen.exits.getFirst() - seen.of(1).getFirst().from();
        assertThat(lived).isBetween(40 * MS, 60 * MS);
        assertThat(seen.timeOnCpu(1)).isLessThan(35 * MS);
    }

    /** floor(t · 1000 / loop) loops; events and calls around them take less than 6 us. */
    @ParameterizedTest
    @CsvSource({"10, 300, 9900", "13, 7000, 7000", "29, 9000, 27000", "100, 128, 99968"})
    void workIsWholeLoopsOfTheCalibration(int us, int nsOfLoop, long work) {
        Observed seen = Observed.of("./file.json", """
                { "tasks" : { "t" : { "run" : %d, "sleep" : 1000 } }, "global" : { "calibration" : %d } }""".formatted(us, nsOfLoop), "v3.9", 50);
        Observed none = Observed.of(
                "./file.json", "{ 'tasks' : { 't' : { 'run' : 0, 'sleep' : 1000 } } }".replace('\'', '"'), "v3.9", 50);
        assertThat(seen.of(1).get(3).length() - none.of(1).get(3).length()).isCloseTo(work, within(50L));
    }

    @Test
    void aBarrierLetsAllGoWhenTheLastHasCome() {
        Observed seen = run("""
                "a" : { "loop" : 1, "cpus" : [0], "run" : 1000, "barrier" : "b", "run" : 500 },
                "b" : { "loop" : 1, "cpus" : [1], "instance" : 2, "run" : 2500, "barrier" : "b", "run" : 500 },
                "c" : { "loop" : 1, "cpus" : [2], "run" : 9000, "barrier" : "b", "run" : 500 }""", 50);
        // at 9 ms all go on; the two on one CPU one after the other
        assertThat(seen.exits).hasSize(4);
        assertThat(seen.exits.get(0)).isCloseTo(9500_000L, NEAR);
        assertThat(seen.exits.get(1)).isCloseTo(9500_000L, NEAR);
        assertThat(seen.exits.get(2)).isCloseTo(9500_000L, NEAR);
        assertThat(seen.exits.get(3)).isCloseTo(10_000_000L, NEAR);
    }

    @Test
    void forksWhenItsTurnComes() {
        Observed seen = run("""
                "main" : { "loop" : 2, "run" : 1000, "fork" : "child", "run" : 4000 },
                "child" : { "instance" : 0, "loop" : 1, "run" : 2000 }""", 50);
        assertThat(seen.forks).hasSize(2);
        assertThat(seen.forks.get(0)).isCloseTo(MS, NEAR);
        assertThat(seen.forks.get(1)).isCloseTo(6 * MS, within(MS / 5));
        assertThat(seen.exits).hasSize(3);
        assertThat(seen.figure("child activations")).isCloseTo(2 / 0.050, within(0.01));
    }

    @Test
    void whoWaitsForALockGoesOnWhenItIsFreed() {
        Observed seen = run("""
                "owner" : { "loop" : 1, "cpus" : [0], "lock" : "m", "run" : 10000, "unlock" : "m", "run" : 20000 },
                "other" : { "loop" : 1, "cpus" : [1], "delay" : 2000, "lock" : "m", "run" : 3000, "unlock" : "m" }""", 60);
        assertThat(seen.exits.getFirst()).isCloseTo(13 * MS, within(MS / 5));
    }

    @Test
    void aSignalIsLostIfNobodyWaitsAndAPostIsNot() {
        Observed signal = run("""
                "early" : { "loop" : 1, "signal" : "c" },
                "late" : { "loop" : 1, "delay" : 2000, "lock" : "m", "wait" : { "ref" : "c", "mutex" : "m" }, "unlock" : "m" }
                """, 30);
        assertThat(signal.exits).hasSize(1);
        Observed post = run("""
                "early" : { "loop" : 1, "sem_post" : "s" },
                "late" : { "loop" : 1, "delay" : 2000, "sem_wait" : "s" }""", 30);
        assertThat(post.exits).hasSize(2);
    }

    @Test
    void suspendsUntilItIsResumedByItsNameOrTheGivenOne() {
        Observed seen = run("""
                "waits" : { "loop" : 1, "suspend" : "", "run" : 1000 },
                "group1" : { "loop" : 1, "suspend" : "group", "run" : 1000 },
                "group2" : { "loop" : 1, "suspend" : "group", "run" : 1000 },
                "wakes" : { "loop" : 1, "run" : 4000, "resume" : "waits", "run" : 4000, "resume" : "group" }""", 30);
        assertThat(seen.startsMs(1)).endsWith(4L);
        assertThat(seen.startsMs(2)).endsWith(8L);
        assertThat(seen.startsMs(3)).endsWith(8L);
        assertThat(seen.exits).hasSize(4);
    }

    @Test
    void syncWakesOneAndWaitsItself() {
        Observed seen = run("""
                "a" : { "loop" : 1, "lock" : "m", "wait" : { "ref" : "c", "mutex" : "m" }, "unlock" : "m", "run" : 3000,
                        "signal" : "c" },
                "b" : { "loop" : 1, "run" : 2000, "sync" : { "ref" : "c", "mutex" : "m" }, "run" : 1000 }""", 30);
        assertThat(seen.exits).hasSize(2);
        assertThat(seen.exits.get(1)).isCloseTo(6 * MS, within(MS / 5));
    }

    @Test
    void aPhaseRunsOnItsOwnCpus() {
        Observed seen = run("""
                "t" : { "cpus" : [3], "phases" : {
                  "there" : { "cpus" : [1, 2], "run" : 1000, "sleep" : 1000 },
                  "here" : { "run" : 1000, "sleep" : 1000 } } }""", 100);
        List<Integer> working = seen.of(1).stream()
                .filter(stay -> stay.length() > MS / 2)
                .map(Observed.Stay::cpu)
                .toList();
        assertThat(working).hasSizeGreaterThan(20);
        for (int i = 0; i < working.size(); i++) {
            assertThat(working.get(i)).isIn(i % 2 == 0 ? List.of(1, 2) : List.of(3));
        }
    }

    @Test
    void niceValuesShareACpuByTheirWeights() {
        Observed seen = run("""
                "kind" : { "cpus" : [0], "priority" : 5, "run" : 1000 },
                "plain" : { "cpus" : [0], "run" : 1000 }""", 1000);
        // weights 335 and 1024
        double share = (double) seen.timeOnCpu(1) / (seen.timeOnCpu(1) + seen.timeOnCpu(2));
        assertThat(share).isCloseTo(335.0 / 1359, within(0.02));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SCHED_FIFO", "SCHED_RR"})
    void realTimeTasksDisplaceFairOnes(String policy) {
        Observed seen = run("""
                "fair" : { "cpus" : [0], "run" : 50000 },
                "real" : { "cpus" : [0], "policy" : "%s", "priority" : 20, "run" : 2000, "sleep" : 8000 }""".formatted(policy), 200);
        assertThat(seen.figure("real wakeup latency p99.9")).isLessThan(50);
        assertThat(seen.of(2).getLast().length()).isCloseTo(2 * MS, NEAR);
    }

    @Test
    void aLoopEndsTheTask() {
        Observed seen = run("""
                "t" : { "loop" : 3, "phases" : { "p" : { "loop" : 2, "run" : 1000 }, "q" : { "run" : 1000 } } }""", 50);
        assertThat(seen.figure("t activations")).isCloseTo(9 / 0.050, within(0.01));
        assertThat(seen.exits).hasSize(1);
        assertThat(seen.exits.getFirst()).isCloseTo(9 * MS, NEAR);
    }

    @Test
    void sleepsAndRunsOfSecondsAreWhole() {
        Observed seen = run("\"t\" : { \"loop\" : 1, \"sleep\" : 3000000, \"run\" : 2500000 }", 6000);
        assertThat(seen.exits.getFirst()).isCloseTo(5500 * MS, within(40 * MS));
    }

    @Test
    void equalFilesGiveEqualRuns() {
        String text = """
                { "tasks" : { "a" : { "instance" : 5, "run" : 700, "timer" : { "ref" : "unique", "period" : 3000 } },
                              "b" : { "run" : 500, "fork" : "c", "sleep" : 2000 },
                              "c" : { "instance" : 0, "loop" : 1, "mem" : 20000, "iorun" : 100, "yield" : "" } } }""";
        var spec = Observed.spec("./file.json", text, "v3.9", 200);
        assertThat(Simulation.run(spec).digest()).isEqualTo(Simulation.run(spec).digest());
        assertThat(Simulation.run(spec).instances().getFirst().operations()).isGreaterThan(300);
    }
}
