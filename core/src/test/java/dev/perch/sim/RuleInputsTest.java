package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.PlacementListener;
import dev.perch.kernel.placement.PlacementStep;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run lets the placement rules of later kernels read, against what can be said by hand of small runs. */
class RuleInputsTest {
    private static final int E5620_CPUS = 8;

    private static Run runFor(String kernel, String workload, long ns) {
        return runFor(kernel, workload, ns, Simulation.NO_LISTENER);
    }

    private static Run runFor(String kernel, String workload, long ns, SchedEvents listener) {
        Run run = new Run(Specs.withOldBalancer("e5620", kernel, workload, Specs.QUIET, ""), listener);
        run.begin();
        run.advance(ns);
        return run;
    }

    @ParameterizedTest
    @CsvSource({
        // the pairs' ends wake only each other: one change each, the first; a second pair leaves more to whoever an
        // interrupt hits
        "v4.4, 1",
        "v5.15, 0" // from 4.7 on the hook counts, which is not called for pinned tasks
    })
    void anEndOfAPairHasChangedItsWakeeOnceAndAPinnedOneNeverFrom47(String kernel, int flips) {
        Run run = runFor(kernel, "tcp-rr:pin=3/1", 20_000_000);

        assertThat(run.inputs.flipsOf(1)).isEqualTo(flips);
        assertThat(run.inputs.flipsOf(2)).isEqualTo(flips);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v4.9", "v5.15", "v6.12"})
    void anEndOfAFreePairHasChangedItsWakeeOnce(String kernel) {
        Run run = runFor(kernel, "tcp-rr", 20_000_000);

        assertThat(run.inputs.flipsOf(1)).isEqualTo(1);
        assertThat(run.inputs.flipsOf(2)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v4.9", "v5.15", "v6.1", "v6.12"})
    void aMachineWithAnIdleCoreIsBelievedToHaveOneAndABusyOneIsFound(String kernel) {
        assertThat(runFor(kernel, "tcp-rr:pin=3/1", 20_000_000).view.hasIdleCores[0])
                .isTrue();

        Run busy = runFor(kernel, "hog*8+pipe:pin=3/1", 400_000_000);
        assertThat(busy.view.hasIdleCores[0]).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        // placement.md 7.2, LLC of 8: mean utilisation 512 -> 5, from 875 on -> 0; a hog has all but one of 1024
        "hog:pin=0+hog:pin=1+hog:pin=2+hog:pin=3, 5", //
        "hog*8, 0"
    })
    void soManyCpusOfACacheAreWorthALook(String workload, int scan) {
        for (String kernel : List.of("v6.1", "v6.6", "v6.12")) {
            assertThat(runFor(kernel, workload, 2_000_000_000L).view.nrIdleScan[0])
                    .isEqualTo(scan);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v4.9", "v5.4", "v5.15", "v6.1", "v6.12"})
    void twoHogsOnACpuAreTwoTasksLoadAndAllOfItsTime(String kernel) {
        CpuView view = runFor(kernel, "hog:pin=2+hog:pin=2", 1_000_000_000).view;

        assertThat(view.loadAvg[2]).isCloseTo(2048, within(60L));
        assertThat(view.runnableAvg[2]).isCloseTo(2048, within(60L));
        assertThat(view.utilAvg[2]).isCloseTo(1024, within(30L));
        assertThat(view.loadAvg[3]).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3.11", "v3.12", "v4.0", "v4.9", "v5.4"})
    void theLoadOfWhatIsRunnableIsThatOfTwoHogs(String kernel) {
        CpuView view = runFor(kernel, "hog:pin=2+hog:pin=2", 1_000_000_000).view;

        assertThat(view.runnableLoad[2]).isCloseTo(2048, within(60L));
        assertThat(view.runnableLoad[3]).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v4.9", "v5.4", "v5.15", "v6.1", "v6.6", "v6.12"})
    void aPairsUtilisationIsTheShareOfTimeInWhichItsCpusWereNotIdle(String kernel) {
        BusyTime busy = new BusyTime();
        Run run = runFor(kernel, "tcp-rr:pin=3/1", 1_000_000_000, busy);

        assertThat(run.view.utilAvg[3]).isCloseTo(1024 * busy.ns[3] / 1_000_000_000, within(30L));
        assertThat(run.view.utilAvg[1]).isCloseTo(1024 * busy.ns[1] / 1_000_000_000, within(30L));
    }

    @Test
    void theIdleTimeOfACpuFollowsTheGapsBetweenItsWakeups() {
        Gaps gaps = new Gaps();
        Run run = runFor("v5.4", "tcp-rr:pin=3/1", 50_000_000, gaps);

        // all gaps are alike, and an average over eight of them is theirs but for what an eighth is rounded off
        assertThat(run.view.avgIdle[1]).isCloseTo(gaps.last[1], within(200L));
        assertThat(run.view.avgIdle[0]).isEqualTo(1_000_000);
    }

    @Test
    void whatSearchesMayTakeOf514IsHalfOfTheIdleTimeLessWhatTheyTook() {
        Run run = runFor("v5.15", "tcp-rr:pin=3/1", 50_000_000);

        assertThat(run.view.wakeAvgIdle[1]).isEqualTo(run.view.avgIdle[1] / 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v4.9", "v4.14", "v5.4", "v5.15", "v6.1", "v6.6", "v6.12"})
    void theViewIsWhatTheEventsSayAtEveryWakeup(String kernel) {
        Mirror mirror = new Mirror();
        Run run = new Run(
                Specs.withOldBalancer("e5620", kernel, "tcp-rr*3+pipe*3+hog*3", Settings.DEFAULT, "1-3,5-7"), mirror);
        mirror.run = run;
        run.begin();
        run.advance(200_000_000);

        assertThat(mirror.compared).isGreaterThan(10_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v6.6", "v6.12"})
    void theRecentCpuOfATaskIsThePrevOfItsLastSearch(String kernel) {
        Recents recents = new Recents();
        Run run = new Run(Specs.withOldBalancer("e5620", kernel, "pipe*5+hog*5", Settings.DEFAULT, "1-3,5-7"), recents);
        run.view.listenWith(recents);
        run.begin();
        run.advance(300_000_000);

        assertThat(recents.asked).isGreaterThan(100);
        assertThat(recents.wrong).isEmpty();
    }

    /** How long each CPU ran tasks. */
    private static final class BusyTime implements SchedEvents {
        private final long[] ns = new long[E5620_CPUS];
        private final long[] since = new long[E5620_CPUS];

        @Override
        public void switched(
                long now, int cpu, int previous, int previousPrio, TaskState state, int next, int nextPrio) {
            if (previous != 0) {
                ns[cpu] += now - since[cpu];
            }
            since[cpu] = now;
        }
    }

    /** From a CPU's switch to idle to the next wakeup of a task for it. */
    private static final class Gaps implements SchedEvents {
        private final long[] idleSince = new long[E5620_CPUS];
        private final long[] last = new long[E5620_CPUS];

        @Override
        public void switched(
                long now, int cpu, int previous, int previousPrio, TaskState state, int next, int nextPrio) {
            if (next == 0) {
                idleSince[cpu] = now;
            }
        }

        @Override
        public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
            last[targetCpu] = ns - idleSince[targetCpu];
        }
    }

    /** Current tasks and queue lengths as the events tell them, compared with the view whenever a wakeup begins. */
    private static final class Mirror implements SchedEvents {
        private @Nullable Run run;
        private long compared;
        private final int[] current = new int[E5620_CPUS];
        private final int[] queue = new int[200];
        private final boolean[] runnable = new boolean[200];

        @Override
        public void switched(
                long ns, int cpu, int previous, int previousPrio, TaskState state, int next, int nextPrio) {
            current[cpu] = next;
            if (state == TaskState.SLEEPING) {
                runnable[previous] = false;
            }
        }

        @Override
        public void wakeup(long ns, int cpu, int now, int context, int wakee, int prio, int targetCpu) {
            runnable[wakee] = true;
            queue[wakee] = targetCpu;
        }

        @Override
        public void wakeupNew(long ns, int cpu, int now, int context, int wakee, int prio, int targetCpu) {
            wakeup(ns, cpu, now, context, wakee, prio, targetCpu);
        }

        @Override
        public void migrated(long ns, int cpu, int now, int task, int prio, int from, int to) {
            queue[task] = to;
        }

        @Override
        public void waking(long ns, int cpu, int now, int context, int wakee, int prio, int prevCpu) {
            compared++;
            CpuView view = Objects.requireNonNull(run).view;
            for (int other = 0; other < E5620_CPUS; other++) {
                int count = 0;
                for (int task = 1; task < queue.length; task++) {
                    count += runnable[task] && queue[task] == other ? 1 : 0;
                }
                assertThat(view.currentIdle[other]).isEqualTo(current[other] == 0);
                assertThat(view.nrRunning[other] - view.delayed[other]).isEqualTo(count);
            }
        }
    }

    /** The recent CPU that the rules are shown, against the prev of the same task's last search. */
    private static final class Recents implements SchedEvents, PlacementListener {
        private final int[] prevOfLastSearch = new int[200];
        private final List<String> wrong = new ArrayList<>();
        private int wakee;
        private int prev;
        private long asked;

        @Override
        public void wakeupNew(long ns, int cpu, int now, int context, int task, int prio, int targetCpu) {
            prevOfLastSearch[task] = targetCpu;
        }

        @Override
        public void waking(long ns, int cpu, int now, int context, int task, int prio, int prevCpu) {
            wakee = task;
            prev = prevCpu;
        }

        @Override
        public void step(PlacementStep step, int cpu, boolean taken) {
            if (step == PlacementStep.RECENT) {
                asked++;
                if (cpu != prevOfLastSearch[wakee]) {
                    wrong.add("task " + wakee + ": " + cpu + " instead of " + prevOfLastSearch[wakee]);
                }
                prevOfLastSearch[wakee] = prev;
            }
        }
    }
}
