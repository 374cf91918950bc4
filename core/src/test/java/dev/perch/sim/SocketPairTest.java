package dev.perch.sim;

import static dev.perch.model.CostItem.DEQUEUE;
import static dev.perch.model.CostItem.ENQUEUE;
import static dev.perch.model.CostItem.IDLE_EXIT;
import static dev.perch.model.CostItem.PICK;
import static dev.perch.model.CostItem.PREEMPTION_CHECK;
import static dev.perch.model.CostItem.PROBE;
import static dev.perch.model.CostItem.RUNQUEUE_LOCK;
import static dev.perch.model.CostItem.SWITCH_IDLE;
import static dev.perch.model.CostItem.SWITCH_PROCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.perch.model.CostItem;
import dev.perch.model.HardwareModel;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What happens within an operation of a pair over sockets. The stories follow from net/unix/af_unix.c (see {@link Sockets}); both of one CPU are also
 * what a recording of {@code perch bench socketpair} on Linux 6.18.44 shows.
 */
class SocketPairTest {
    private static final String QUIET_3_2 = "v3.2-rc1,NO_TTWU_QUEUE";

    @TempDir
    private Path folder;

    private static final long WARM_UP = 100_000_000;
    private static final long DURATION = 100_000_000;

    /** The pair's part of the run after the warm-up in letters, a word an event: {@code wA} A is about to be woken, {@code +A} it runs, {@code -A} it sleeps, {@code -AR} it is preempted. */
    private static final class Story implements SchedEvents {
        private final StringBuilder words = new StringBuilder();
        private long wakeups;
        private long switches;

        @Override
        public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
            wakeups += say(ns, "w", wakee, "");
        }

        @Override
        public void switched(long ns, int cpu, int prev, int prevPrio, TaskState state, int next, int nextPrio) {
            boolean preempted = state == TaskState.RUNNABLE;
            switches += say(ns, "-", prev, preempted ? "R" : "");
            say(ns, "+", next, "");
        }

        private int say(long ns, String what, int task, String how) {
            if (ns < WARM_UP || task < 1 || task > 2) {
                return 0;
            }
            words.append(what).append("AB".charAt(task - 1)).append(how).append(' ');
            return 1;
        }
    }

    private record Outcome(Story story, double us) {
        String words() {
            return story.words.toString();
        }

        double wakeupsEach() {
            return story.wakeups * us * 1000 / DURATION;
        }

        double switchesEach() {
            return story.switches * us * 1000 / DURATION;
        }
    }

    private static Outcome run(SimulationSpec spec) {
        Story story = new Story();
        SimulationSpec timed = new SimulationSpec(
                spec.machine(),
                spec.kernel(),
                spec.workload(),
                spec.settings(),
                spec.cpuset(),
                spec.taskset(),
                spec.randomSeed(),
                WARM_UP,
                DURATION);
        double us = Simulation.run(timed, story, new TaskNames())
                .instances()
                .getFirst()
                .value();
        return new Outcome(story, us);
    }

    private static int core(HardwareModel model, CostItem... items) {
        int sum = 0;
        for (CostItem item : items) {
            sum += model.cost(item).coreNs();
        }
        return sum;
    }

    private static int call(SimulationSpec spec, String name) {
        return spec.machine()
                .requireModel()
                .workloadCost(spec.machine().name(), "system-calls", name)
                .coreNs();
    }

    /** The e5620 with a send call so long that whoever is woken in vain sleeps again before the answer comes. */
    private String slowToAnswer(int sendNs) throws IOException {
        String text = Files.readString(Specs.HOME.resolve("machines/e5620.yaml"));
        String slow = text.replaceFirst("socket-send: \\{core: \\d+", "socket-send: {core: " + sendNs);
        assertThat(slow).isNotEqualTo(text);
        return Files.writeString(folder.resolve("slow.yaml"), slow).toString();
    }

    @Test
    void onOneCpuTheWakeupOfAReadIsInTimeForTheAnswer() {
        // A reads, which wakes B; A answers, which wakes nobody; A sleeps, and B finds the answer: 2 wakeups, 2
        // switches
        SimulationSpec spec = Specs.spec("e5620", QUIET_3_2, "socketpair:pin=3/3", Specs.QUIET, "");
        Outcome outcome = run(spec);
        assertThat(outcome.words()).contains("wA -B +A wB -A +B wA -B +A wB -A +B ");
        assertThat(outcome.wakeupsEach()).isCloseTo(2, within(0.01));
        assertThat(outcome.switchesEach()).isCloseTo(2, within(0.01));

        // the search looks at the CPU itself, and again in each of the two domains, where affinity leaves no other
        HardwareModel model = spec.machine().requireModel();
        int hop = call(spec, "socket-send")
                + call(spec, "socket-receive")
                + core(model, PROBE, PROBE, PROBE, RUNQUEUE_LOCK, ENQUEUE, PREEMPTION_CHECK)
                + core(model, DEQUEUE, PICK, SWITCH_PROCESS);
        assertThat(outcome.us()).isCloseTo(2 * hop / 1000.0, withinPercentage(0.4));
    }

    @Test
    void acrossCpusAReadWakesItsSenderInVainAndTheAnswerWakesItAgain() throws IOException {
        int sendNs = 6000;
        SimulationSpec spec = Specs.spec(slowToAnswer(sendNs), QUIET_3_2, "socketpair:pin=3/1", Specs.QUIET, "");
        Outcome outcome = run(spec);
        // A's message wakes B, which reads it and so wakes A for nothing; B's answer wakes A, which reads it and so
        // wakes B for nothing
        assertThat(outcome.words()).contains("wA +A -A wA +A ").contains("wB +B -B wB +B ");
        assertThat(outcome.wakeupsEach()).isCloseTo(4, within(0.01));
        assertThat(outcome.switchesEach()).isCloseTo(4, within(0.01));

        // the receiver pays for the wakeup in vain, in the midst of its call; everything else of it happens beside
        HardwareModel model = spec.machine().requireModel();
        double hop = sendNs * 5 / 6.0
                + 2 * core(model, PROBE, RUNQUEUE_LOCK, ENQUEUE, PREEMPTION_CHECK)
                + model.idleStates().getFirst().realExitNs()
                + core(model, IDLE_EXIT, PICK, SWITCH_IDLE)
                + call(spec, "socket-receive") * 6 / 8.0;
        assertThat(outcome.us()).isCloseTo(2 * hop / 1000, withinPercentage(0.4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v6.12", "v6.18"})
    void underEevdfTheOneWokenInVainMayRunAtOnceAsRecorded(String kernel) {
        Outcome outcome = run(Specs.spec("e5620", kernel, "socketpair:pin=0/0", Settings.DEFAULT, ""));
        String words = outcome.words();
        // preempted on the way out of the read; the other finds nothing and sleeps; the answer wakes it and is
        // preempted too
        assertThat(words).contains("wA -BR +A -A +B wA -BR +A ");
        // or not preempted, as under CFS
        assertThat(words).contains("wA -B +A wB -A +B ");
        // never two wakeups of one that has not run: it is on no queue meanwhile
        assertThat(words).doesNotContain("wA wA ").doesNotContain("wB wB ");
        assertThat(outcome.wakeupsEach()).isCloseTo(2, within(0.05));
    }
}
