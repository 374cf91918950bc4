package dev.perch.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.perch.kernel.TaskTable;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.sim.workload.DescribedTask;
import dev.perch.sim.workload.DescribedWorkload;
import dev.perch.sim.workload.Step;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RtAppFileTest {
    private static DescribedWorkload parse(String text) {
        return WorkloadFiles.parse("f.json", text);
    }

    private static DescribedTask task(String properties) {
        return parse("{ \"tasks\" : { \"t\" : {" + properties + "} } }").tasks().getFirst();
    }

    /** What is within the loop of a task that is one phase, without the count at its end. */
    private static List<Step> events(String properties) {
        List<Step> steps = ((Step.Loop) task(properties).steps().getFirst()).steps();
        return steps.subList(0, steps.size() - 1);
    }

    @Test
    void takesCommentsAndCommasTooManyOrTooFew() {
        DescribedWorkload workload = parse("""
                // two tasks
                {
                    "tasks" : {
                        "a" : { "run" : 1, /* comment
                                over lines */ "sleep" : 2, },
                        "b" : { "suspend", "run" : 3 }  // no value, and no comma behind it
                        "c" : { "cpus" : [0, 1,], "yield" : "", }
                    },
                    "global" : { "duration" : 2, "gnuplot" : True, }
                }
                """);
        assertThat(workload.tasks()).extracting(DescribedTask::name).containsExactly("a", "b", "c");
        assertThat(workload.durationNs()).hasValue(2_000_000_000L);
        assertThat(workload.threads()).isTrue();
    }

    @Test
    void keepsTheOrderOfEventsWhoseKeysComeAgainOrAreToldApartByASuffix() {
        assertThat(events("\"run\" : 1, \"sleep\" : 2, \"run\" : 3, \"run1\" : 4, \"runtime_b\" : 5, \"sleep2\" : 6"))
                .containsExactly(
                        new Step.Compute(1000),
                        new Step.Sleep(2000),
                        new Step.Compute(3000),
                        new Step.Compute(4000),
                        new Step.ComputeFor(5000, 32_000),
                        new Step.Sleep(6000));
    }

    @Test
    void readsEveryEvent() {
        assertThat(events("""
                "lock" : "m", "wait" : { "ref" : "c", "mutex" : "m" }, "unlock" : "m", "signal" : "c", "broad" : "c",
                "mem" : 100, "iorun" : 4194305, "barrier" : "b", "yield" : "", "sem_post" : "s", "sem_wait" : "s",
                "timer" : { "ref" : "tick", "period" : 7 }, "timer1" : { "ref" : "unique", "period" : 8 }"""))
                .containsExactly(
                        new Step.Lock("m"),
                        new Step.Wait("c", "m"),
                        new Step.Unlock("m"),
                        new Step.Signal("c", false),
                        new Step.Signal("c", true),
                        new Step.Memory(100),
                        new Step.SystemCalls(2), // a buffer of 4 MiB and one byte more
                        new Step.Barrier("b"),
                        new Step.Yield(),
                        new Step.Post("s", 1),
                        new Step.Await("s"),
                        new Step.Timer("tick", false, 7000, false),
                        new Step.Timer("unique", true, 8000, false));
    }

    @Test
    void locksForASyncUnlessTheTaskHasTheLock() {
        assertThat(events("\"sync\" : { \"ref\" : \"c\", \"mutex\" : \"m\" }"))
                .containsExactly(
                        new Step.Lock("m"), new Step.Signal("c", false), new Step.Wait("c", "m"), new Step.Unlock("m"));
        assertThat(
                        events(
                                "\"lock\" : \"m\", \"sig_and_wait\" : { \"ref\" : \"c\", \"mutex\" : \"m\" }, \"unlock\" : \"m\""))
                .containsExactly(
                        new Step.Lock("m"), new Step.Signal("c", false), new Step.Wait("c", "m"), new Step.Unlock("m"));
    }

    @Test
    void aTimerThatIsAbsoluteOnceIsSoEverywhere() {
        assertThat(events("\"timer\" : { \"ref\" : \"x\", \"period\" : 1 }, "
                        + "\"timer2\" : { \"ref\" : \"x\", \"period\" : 2, \"mode\" : \"absolute\" }"))
                .containsExactly(new Step.Timer("x", false, 1000, true), new Step.Timer("x", false, 2000, true));
    }

    @Test
    void countsTheUsersOfABarrier() {
        DescribedWorkload workload = parse("""
                { "tasks" : { "a" : { "instance" : 3, "barrier" : "x" }, "b" : { "run" : 1, "barrier" : "x" },
                              "c" : { "barrier" : "y", "run" : 1 } } }""");
        assertThat(workload.barriers()).containsEntry("x", 4).containsEntry("y", 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | 0 | 0 | 0",
                "'\"priority\" : -19,' | 0 | -19 | 0",
                "'\"policy\" : \"SCHED_BATCH\", \"priority\" : 3,' | 1 | 3 | 0",
                "'\"policy\" : \"SCHED_IDLE\",' | 2 | 0 | 0",
                "'\"policy\" : \"SCHED_FIFO\",' | 3 | 0 | 10",
                "'\"policy\" : \"SCHED_RR\", \"priority\" : 99,' | 4 | 0 | 99",
            })
    void readsPoliciesWithTheirDefaultPriorities(String properties, byte policy, int nice, int rtPriority) {
        assertThat(task(properties + " \"run\" : 1").policy())
                .isEqualTo(new dev.perch.sim.workload.Workload.Policy(policy, nice, rtPriority));
    }

    @Test
    void readsDefaultPolicyLoopsPhasesAndDelay() {
        DescribedWorkload workload = parse("""
                { "global" : { "default_policy" : "SCHED_FIFO" },
                  "tasks" : { "t" : { "delay" : 5, "instance" : 2, "cpus" : [1, 3], "loop" : 4, "phases" : {
                      "p" : { "loop" : 2, "run" : 1 }, "p" : { "run" : 2 } } } } }""");
        DescribedTask task = workload.tasks().getFirst();
        assertThat(task.policy().policy()).isEqualTo(TaskTable.POLICY_FIFO);
        assertThat(task.delayNs()).isEqualTo(5000);
        assertThat(task.copies()).isEqualTo(2);
        assertThat(task.cpus()).isEqualTo(CpuMask.of(1, 3));
        assertThat(task.steps())
                .containsExactly(new Step.Loop(
                        4,
                        List.of(
                                new Step.Loop(2, List.of(new Step.Compute(1000), new Step.Count())),
                                new Step.Loop(1, List.of(new Step.Compute(2000), new Step.Count())))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"util_min\" : 100, \"run\" : 1 | rt-app key 'util_min' of task 't' is not supported: utilisation clamping is not modelled (f.json:3)",
                "\"run\" : 1, \"nodes_membind\" : [0] | rt-app key 'nodes_membind' of task 't' is not supported: where memory lies is not modelled (f.json:3)",
                "\"policy\" : \"SCHED_DEADLINE\", \"run\" : 1 | policy SCHED_DEADLINE of task 't' is not supported: the deadline class is not modelled (f.json:3)",
                "\"dl-period\" : 1, \"run\" : 1 | rt-app key 'dl-period' of task 't' is not supported: the deadline class",
                "\"taskgroup\" : \"tg1//a\", \"run\" : 1 | 'taskgroup' of task 't': 'tg1//a' is no path of a group",
                "\"memrun\" : { \"type\" : \"read\" } | rt-app key 'memrun' of task 't' is not supported: caches are not modelled",
                "\"prority\" : 1, \"run\" : 1 | rt-app key 'prority' of task 't' is not supported; did you mean 'priority'? (f.json:3)",
                "\"phases\" : { \"p\" : { \"run\" : 1, \"foo\" : 2 } } | rt-app key 'foo' of phase 'p' of task 't' is not supported",
                "\"phases\" : { \"p\" : { \"run\" : 1 } }, \"run\" : 2 | rt-app key 'run' of task 't' is not supported",
                "\"run\" : \"1\" | 'run' of task 't' must be a whole number from 0 to 2147483647, not the string \"1\" (f.json:3)",
                "\"run\" : -1 | 'run' of task 't' must be a whole number from 0",
                "\"lock\" : 1 | 'lock' of task 't' must be a name in quotes, not the number 1 (f.json:3)",
                "\"cpus\" : 1, \"run\" : 1 | 'cpus' of task 't' must be an array of CPU numbers, as in [0, 2] (f.json:3)",
                "\"timer\" : 5 | 'timer' of task 't' must be an object { … }, not the number 5 (f.json:3)",
                "\"timer\" : { \"ref\" : \"x\", \"mode\" : \"late\" } | 'mode' of 'timer' of task 't' must be \"relative\" or \"absolute\", not 'late' (f.json:3)",
                "\"timer\" : { \"rfe\" : \"x\" } | rt-app key 'rfe' of 'timer' of task 't' is not supported; did you mean 'ref'?",
                "\"wait\" : { \"ref\" : \"c\", \"mutex\" : \"m\" } | 'wait' of task 't' waits without having locked mutex 'm'; write \"lock\" : \"m\" before it (f.json:3)",
                "\"loop\" : 1, \"loop\" : 2, \"run\" : 1 | task 't' has 'loop' twice; it stands in line 3 already (f.json:3)",
                "\"loop\" : 1 | task 't' has no events; write at least one, such as \"run\" : 1000 (f.json:3)",
                "\"policy\" : \"SCHED_FIFO\", \"priority\" : 100, \"run\" : 1 | 'priority' of task 't' must be a whole number from 1 to 99",
                "\"policy\" : \"FIFO\", \"run\" : 1 | unknown policy 'FIFO' of task 't'",
                "\"phases\" : { \"p\" : { \"policy\" : \"SCHED_FIFO\", \"run\" : 1 } } | 'policy' of phase 'p' of task 't' differs from its task's",
                "\"fork\" : \"u\" | task 't' forks 'u', which is no task",
                "\"instance\" : 0, \"run\" : 1 | no task runs",
                "\"exec\" : 1 | rt-app key 'exec' of task 't' is not supported: it is of rt-app before 1.0",
            })
    void namesWhatItCannotDoWithTaskAndLine(String properties, String message) {
        refuses("{\n\"tasks\" : {\n\"t\" : {" + properties + "}\n} }", message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ \"global\" : { \"pi_enabled\" : true } } | rt-app key 'pi_enabled' of global is not supported: priority inheritance",
                "{ \"global\" : { \"io_device\" : \"/dev/sda\" } } | rt-app key 'io_device' of global is not supported with '/dev/sda'",
                "{ \"global\" : { \"calibration\" : \"GPU\" } } | 'calibration' of global must be a CPU",
                "{ \"global\" : { \"duratoin\" : 1 } } | rt-app key 'duratoin' of global is not supported; did you mean 'duration'?",
                "{ \"global\" : 1 } | global must be an object { … }, not the number 1 (f.json:1)",
                "{ } | the file has no \"tasks\"; it describes no workload (f.json:1)",
                "{ \"tasks\" : { \"t\" : { \"run\" : } } } | broken JSON: a value is missing before '}' (f.json:1)",
                "{ \"tasks\" : { | broken JSON: the object of line 1 does not end (f.json:1)",
                "[ ] | broken JSON: a file of rt-app begins with '{', not '['",
                "{ } x | broken JSON: the file's object has ended, but 'x' follows",
                "{ \"a | broken JSON: a string begins here and does not end in its line",
                "{ /* | broken JSON: a comment begins here and does not end",
                "{ \"a\" : foo } | broken JSON: 'foo' is no value; write a string in quotes",
                "{ \"a\" : \"\\q\" } | broken JSON: unknown escape '\\q' in a string",
            })
    void namesWhatIsBrokenInTheFile(String text, String message) {
        refuses(text, message);
    }

    private static void refuses(String text, String message) {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> parse(text))
                .withMessageContaining(message)
                .withMessageNotContaining("\n");
    }

    @Test
    void tellsTheLineOfAnErrorBehindCommentsOfManyLines() {
        refuses("{\n/* 2\n3 */\n\"tasks\" : {\n\"t\" : {\n// 6\n\"frob\" : 1 } } }", "(f.json:7)");
    }

    @Test
    void refusesABarrierInAForkedTask() {
        refuses("""
                { "tasks" : { "a" : { "fork" : "b" }, "b" : { "instance" : 0, "barrier" : "x" } } }""", "task 'a' forks 'b', which uses a barrier; nobody knows how many will come to it (f.json:1)");
    }
}
