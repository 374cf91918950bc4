package dev.perch.kernel.wakeup;

import static dev.perch.kernel.wakeup.Signal.CALL_FUNCTION_IPI;
import static dev.perch.kernel.wakeup.Signal.NONE;
import static dev.perch.kernel.wakeup.Signal.RESCHEDULE_IPI;
import static dev.perch.kernel.wakeup.Signal.SET_FLAG;
import static dev.perch.kernel.wakeup.Signal.SET_POLLING_FLAG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.kernel.TestKernels;
import dev.perch.kernel.TestMachines;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Q1 – Q8 of placement.md 14.3, and the conditions of 9.2 – 9.6. */
class RemoteQueueTest {
    private static RemoteQueue queue(String rules, String machine) {
        return RemoteQueue.of(rules, true, domains(machine));
    }

    private static SchedDomains domains(String machine) {
        Topology topology = TestMachines.named(machine);
        return SchedDomains.build(topology, List.of(topology.cpus()), DomainRules.named("3.12"));
    }

    /** What a waker does for an idle target: the list and its announcement, or direct activation and its request. */
    private static Signal wakeIdle(RemoteQueue queue, int thisCpu, int targetCpu, boolean polling) {
        return queue.useWakeList(thisCpu, targetCpu, 0)
                ? queue.announce(true, polling)
                : RemoteQueue.reschedule(thisCpu, targetCpu, false, true, polling, false);
    }

    @ParameterizedTest
    @CsvSource({
        "every-remote, true, RESCHEDULE_IPI, RESCHEDULE_IPI",
        "other-llc, false, SET_POLLING_FLAG, RESCHEDULE_IPI",
        "3.16, false, SET_POLLING_FLAG, RESCHEDULE_IPI",
        "5.8, false, SET_POLLING_FLAG, RESCHEDULE_IPI",
        "5.11, false, SET_POLLING_FLAG, RESCHEDULE_IPI",
        "6.0, true, SET_POLLING_FLAG, CALL_FUNCTION_IPI",
        "6.2, true, SET_POLLING_FLAG, CALL_FUNCTION_IPI",
        "6.12, true, SET_POLLING_FLAG, CALL_FUNCTION_IPI",
        "6.18, true, SET_POLLING_FLAG, CALL_FUNCTION_IPI"
    })
    void q1AndQ2AnIdleSiblingIsWoken(String rules, boolean list, Signal polling, Signal halted) {
        RemoteQueue queue = queue(rules, "E5620");

        assertThat(queue.useWakeList(3, 7, 0)).isEqualTo(list);
        assertThat(wakeIdle(queue, 3, 7, true)).isEqualTo(polling);
        assertThat(wakeIdle(queue, 3, 7, false)).isEqualTo(halted);
    }

    @ParameterizedTest
    @CsvSource({
        "every-remote, RESCHEDULE_IPI, RESCHEDULE_IPI",
        "other-llc, RESCHEDULE_IPI, RESCHEDULE_IPI",
        "3.16, SET_POLLING_FLAG, RESCHEDULE_IPI",
        "5.8, SET_POLLING_FLAG, CALL_FUNCTION_IPI",
        "5.11, SET_POLLING_FLAG, CALL_FUNCTION_IPI",
        "6.0, SET_POLLING_FLAG, CALL_FUNCTION_IPI",
        "6.18, SET_POLLING_FLAG, CALL_FUNCTION_IPI"
    })
    void q3AnIdleCpuOfAnotherCacheIsWoken(String rules, Signal polling, Signal halted) {
        RemoteQueue queue = queue(rules, "2xNHM");

        assertThat(queue.useWakeList(4, 1, 0)).isTrue();
        assertThat(queue.useWakeList(4, 1, 3)).isTrue();
        assertThat(wakeIdle(queue, 4, 1, true)).isEqualTo(polling);
        assertThat(wakeIdle(queue, 4, 1, false)).isEqualTo(halted);
    }

    @ParameterizedTest
    @CsvSource({
        "every-remote, true", "other-llc, false", "3.16, false", "5.8, false", "5.11, false", "6.0, false", "6.18, false"
    })
    void q4ABusyCpuOfTheSameCacheIsChosen(String rules, boolean list) {
        assertThat(queue(rules, "E5620").useWakeList(3, 1, 1)).isEqualTo(list);
        assertThat(RemoteQueue.reschedule(3, 1, false, false, false, false)).isEqualTo(RESCHEDULE_IPI);
    }

    @ParameterizedTest
    @ValueSource(strings = {"every-remote", "other-llc", "3.16", "5.8", "5.11", "6.0", "6.2", "6.12", "6.18"})
    void q5TheSecondWakeupOfAListIsNotAnnounced(String rules) {
        RemoteQueue queue = queue(rules, "E5620");

        assertThat(queue.announce(false, true)).isEqualTo(NONE);
        assertThat(queue.announce(false, false)).isEqualTo(NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "every-remote, false, false", "other-llc, false, false", "3.16, false, false", "5.8, true, true",
        "5.11, true, true", "6.0, true, false", "6.12, true, false", "6.18, true, false"
    })
    void q6AndQ7TheWakeeIsStillBeingSwitchedAwayFrom(String rules, boolean alone, boolean besideAnother) {
        RemoteQueue queue = queue(rules, "E5620");

        assertThat(queue.useOwnList(3, 7, 0)).isEqualTo(alone);
        assertThat(queue.useOwnList(3, 7, 1)).isEqualTo(besideAnother);
        assertThat(queue.useOwnList(3, 7, 2)).isFalse();
        assertThat(queue.useOwnList(7, 7, 0)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"3.16, false", "5.8, true", "6.0, true"})
    void aWakeeStillOnACpuOfAnotherCacheIsLeftThereHoweverBusy(String rules, boolean left) {
        assertThat(queue(rules, "2xNHM").useOwnList(4, 1, 5)).isEqualTo(left);
    }

    @ParameterizedTest
    @ValueSource(strings = {"every-remote", "other-llc", "3.16", "5.8", "5.11", "6.0", "6.2", "6.12", "6.18"})
    void q8WithoutTheFeatureNothingIsQueued(String rules) {
        RemoteQueue queue = RemoteQueue.of(rules, false, domains("2xNHM"));

        assertThat(queue.useWakeList(4, 1, 0)).isFalse();
        assertThat(queue.useWakeList(4, 5, 0)).isFalse();
        assertThat(queue.useOwnList(4, 1, 0)).isFalse();
    }

    @Test
    void aWakeupOfTheWakersOwnCpuIsNeverQueued() {
        assertThat(queue("every-remote", "E5620").useWakeList(3, 3, 0)).isFalse();
        assertThat(queue("6.0", "E5620").useWakeList(3, 3, 0)).isFalse();
    }

    @Test
    void within2SocketsOfNehalemThreadsOfACoreShareTheCache() {
        assertThat(queue("other-llc", "2xNHM").useWakeList(4, 13, 0)).isFalse();
    }

    @Test
    void from511TheTargetMustBeActiveAndFrom60Allowed() {
        assertThat(queue("5.8", "2xNHM").useWakeList(4, 1, 0, false, false, WakeeClass.ORDINARY))
                .isTrue();
        assertThat(queue("5.11", "2xNHM").useWakeList(4, 1, 0, false, true, WakeeClass.ORDINARY))
                .isFalse();
        assertThat(queue("5.11", "2xNHM").useWakeList(4, 1, 0, true, false, WakeeClass.ORDINARY))
                .isTrue();
        assertThat(queue("6.0", "2xNHM").useWakeList(4, 1, 0, true, false, WakeeClass.ORDINARY))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"6.2, true, true, true", "6.12, true, false, false", "6.18, false, false, true"})
    void someClassesAreKeptOffLists(String rules, boolean stop, boolean ext, boolean extThatAgrees) {
        RemoteQueue queue = queue(rules, "2xNHM");

        assertThat(queue.useWakeList(4, 1, 0, true, true, WakeeClass.STOP)).isEqualTo(stop);
        assertThat(queue.useWakeList(4, 1, 0, true, true, WakeeClass.SCHED_EXT)).isEqualTo(ext);
        assertThat(queue.useWakeList(4, 1, 0, true, true, WakeeClass.SCHED_EXT_QUEUED))
                .isEqualTo(extThatAgrees);
    }

    @Test
    void aCpuIsPendingUntilItsListIsTakenAndLaterUntilItIsWorkedOff() {
        assertThat(queue("every-remote", "E5620").clearsPendingFirst()).isTrue();
        assertThat(queue("6.0", "E5620").clearsPendingFirst()).isTrue();
        assertThat(queue("6.12", "E5620").clearsPendingFirst()).isFalse();
    }

    @Test
    void onlyFrom316OnThePollingCpusInterruptIsSaved() {
        assertThat(queue("other-llc", "E5620").savesInterrupts()).isFalse();
        assertThat(queue("3.16", "E5620").savesInterrupts()).isTrue();
    }

    @Test
    void aRequestToRescheduleIsMadeOnceAndCostsAnInterruptOnlyIfNothingElseWouldDo() {
        assertThat(RemoteQueue.reschedule(3, 7, true, false, false, false)).isEqualTo(NONE);
        assertThat(RemoteQueue.reschedule(3, 3, false, false, false, false)).isEqualTo(SET_FLAG);
        assertThat(RemoteQueue.reschedule(3, 7, false, true, true, false)).isEqualTo(SET_POLLING_FLAG);
        assertThat(RemoteQueue.reschedule(3, 7, false, true, false, false)).isEqualTo(RESCHEDULE_IPI);
    }

    @Test
    void aLazyRequestSendsNoInterruptButToAnIdleCpu() {
        assertThat(RemoteQueue.reschedule(3, 7, false, false, false, true)).isEqualTo(SET_FLAG);
        assertThat(RemoteQueue.reschedule(3, 7, false, true, false, true)).isEqualTo(RESCHEDULE_IPI);
        assertThat(RemoteQueue.reschedule(3, 7, false, true, true, true)).isEqualTo(SET_POLLING_FLAG);
    }

    @Test
    void onlyInterruptsAreInterrupts() {
        assertThat(RESCHEDULE_IPI.isInterrupt()).isTrue();
        assertThat(CALL_FUNCTION_IPI.isInterrupt()).isTrue();
        assertThat(SET_FLAG.isInterrupt()).isFalse();
        assertThat(SET_POLLING_FLAG.isInterrupt()).isFalse();
        assertThat(NONE.isInterrupt()).isFalse();
    }

    @Test
    void aKernelsOwnRuleIsTaken() {
        assertThat(RemoteQueue.of(TestKernels.policy("3.2"), domains("E5620")).useWakeList(3, 7, 0))
                .isTrue();
        assertThat(RemoteQueue.of(TestKernels.policy("3.3"), domains("E5620")).useWakeList(3, 7, 0))
                .isFalse();
        assertThat(RemoteQueue.of(TestKernels.named("v3.2,NO_TTWU_QUEUE"), domains("E5620"))
                        .useWakeList(3, 7, 0))
                .isFalse();
    }

    @Test
    void aRuleThatIsNotKnownIsNamed() {
        assertThatThrownBy(() -> queue("sometimes", "E5620"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'sometimes'")
                .hasMessageContaining("every-remote");
    }
}
