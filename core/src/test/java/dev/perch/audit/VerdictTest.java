package dev.perch.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.audit.Story.Seen;
import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;
import org.junit.jupiter.api.Test;

/** One scenario a row of the verdict table, and the order between rows. Waker 10 on CPU 0 wakes 20 unless said otherwise. */
class VerdictTest {

    /** Waker 10 runs on CPU 0 of an otherwise idle machine. */
    private static Story wakerOn0() {
        return new Story().allIdle().runs(10, 0, 10);
    }

    private static Story place(Story story, int prev, int chosen) {
        story.waking(100, 0, 10, 20, prev);
        if (prev != chosen) {
            story.migrates(101, 0, 10, 20, prev, chosen);
        }
        return story.wakeup(102, 0, 10, 20, chosen);
    }

    @Test
    void goodWhenNothingBetterWasIdle() {
        Seen seen = place(wakerOn0(), 2, 2).runs(110, 2, 20).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.GOOD);
        assertThat(seen.faults()).isZero();
        assertThat(seen.chosenCpu()).isEqualTo(2);
        assertThat(seen.certainty()).isEqualTo(Certainty.EXACT);
        assertThat(seen.assumed()).isTrue();
    }

    @Test
    void stackedWhenTheWakerAloneGivesUpTheCpuNext() {
        Seen seen = place(wakerOn0(), 0, 0).blocks(150, 0, 10, 20).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.STACKED);
        assertThat(seen.hasFault(Verdict.QUEUED))
                .as("CPUs of the LLC were idle all the same")
                .isTrue();
        assertThat(seen.queueingNs()).isEqualTo(50);
    }

    @Test
    void queuedWhenTheWakerIsPreemptedInsteadOfBlocking() {
        Seen seen = place(wakerOn0(), 0, 0).preempts(150, 0, 10, 20).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.QUEUED);
    }

    @Test
    void queuedWhenTheWakersCpuHadAnotherTaskWaiting() {
        Story story = wakerOn0();
        story.events.wakeupNew(50, 0, 10, SchedEvents.IN_TASK, 30, Story.PRIO, 0);
        Seen seen = place(story, 0, 0).blocks(150, 0, 10, 20).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.QUEUED);
    }

    @Test
    void missedElsewhereWhenOnlyTheOtherLlcHasAnIdleCpu() {
        Story story = wakerOn0();
        for (int cpu = 1; cpu <= 3; cpu++) {
            story.runs(20, cpu, 100 + cpu);
        }
        Seen seen = place(story, 2, 2).blocks(150, 2, 102, 20).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.MISSED_ELSEWHERE);
        assertThat(seen.hasFault(Verdict.MISSED_ELSEWHERE)).isTrue();
        assertThat(seen.hasFault(Verdict.QUEUED)).isFalse();
    }

    @Test
    void fullWhenNothingAllowedIsIdle() {
        Story story = Story.withAffinity(20, CpuMask.range(0, 3)).allIdle().runs(10, 0, 10);
        for (int cpu = 1; cpu <= 3; cpu++) {
            story.runs(20, cpu, 100 + cpu);
        }
        Seen seen = place(story, 2, 2).blocks(150, 2, 102, 20).only(20);
        assertThat(seen.verdict()).as("4-7 are idle but not allowed").isEqualTo(Verdict.FULL);
        assertThat(seen.faults()).isZero();
        assertThat(seen.assumed()).isFalse();
    }

    @Test
    void remoteWhenTheOwnLlcHadAnIdleCpu() {
        Seen seen = place(wakerOn0(), 6, 2).runs(110, 2, 20).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.REMOTE);
        assertThat(seen.faults()).isEqualTo(Verdict.REMOTE.bit());
    }

    @Test
    void goodWhenTheOwnLlcWasFull() {
        Story story = wakerOn0();
        for (int cpu = 4; cpu <= 7; cpu++) {
            story.runs(20, cpu, 100 + cpu);
        }
        assertThat(place(story, 6, 2).runs(110, 2, 20).only(20).verdict()).isEqualTo(Verdict.GOOD);
    }

    @Test
    void smtSharedWhenAWholeCoreOfTheLlcWasIdle() {
        Seen seen = place(wakerOn0(), 1, 1).runs(110, 1, 20).only(20);
        assertThat(seen.verdict()).as("CPU 0 runs the waker, 2 and 3 are idle").isEqualTo(Verdict.SMT_SHARED);
    }

    @Test
    void remoteGoesBeforeSmtSharedAndBothBitsAreSet() {
        Seen seen = place(wakerOn0(), 6, 1).runs(110, 1, 20).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.REMOTE);
        assertThat(seen.faults()).isEqualTo(Verdict.REMOTE.bit() | Verdict.SMT_SHARED.bit());
    }

    @Test
    void bouncedWhenThePreviousCpuWasIdleAndNoWorse() {
        Seen seen = place(wakerOn0(), 2, 3).runs(110, 3, 20).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.BOUNCED);
    }

    @Test
    void smtSharedGoesBeforeBouncedAndBothBitsAreSet() {
        Seen seen = place(wakerOn0(), 3, 1).runs(110, 1, 20).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.SMT_SHARED);
        assertThat(seen.faults()).isEqualTo(Verdict.SMT_SHARED.bit() | Verdict.BOUNCED.bit());
    }

    @Test
    void goodWhenThePreviousCpuHadABusySiblingAndTheChosenCoreIsIdle() {
        Seen seen = place(wakerOn0(), 1, 3).runs(110, 3, 20).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.GOOD);
    }

    @Test
    void aPreviousCpuThatIsIdleCountsForABusyChoiceTooButQueuedGoesFirst() {
        Story story = wakerOn0().runs(20, 3, 103);
        Seen seen = place(story, 2, 3).blocks(150, 3, 103, 20).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.QUEUED);
        assertThat(seen.faults()).isEqualTo(Verdict.QUEUED.bit() | Verdict.BOUNCED.bit());
    }

    @Test
    void aCpuWithAWakeupOnItsWayIsNotIdle() {
        // 30 is on its way to CPU 2, nothing runs there yet; then 20 is sent there too
        Story story = wakerOn0();
        story.wakeup(40, 0, 10, 31, 3).runs(41, 3, 31); // the recording has wakeup records
        story.waking(50, 0, 10, 30, 2);
        story.runs(55, 5, 105).waking(60, 5, 105, 20, 2).migrates(61, 5, 105, 20, 2, 2);
        story.wakeup(62, 2, 0, 30, 2).wakeup(63, 2, 0, 20, 2).runs(70, 2, 30).blocks(80, 2, 30, 20);
        Seen seen = story.only(20);
        assertThat(seen.chosenCpu()).isEqualTo(2);
        assertThat(seen.verdict()).isNotEqualTo(Verdict.GOOD);
        assertThat(seen.hasFault(Verdict.QUEUED)).isTrue();
    }

    @Test
    void notPlacedWhenTheWakeeWasStillRunning() {
        Story story = wakerOn0().runs(20, 2, 20);
        Seen seen = story.waking(100, 0, 10, 20, 2).wakeup(101, 0, 10, 20, 2).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.NOT_PLACED);
        assertThat(seen.latencyNs()).isEqualTo(-1);
        assertThat(seen.chosenCpu()).isEqualTo(2);
    }

    @Test
    void notPlacedWhenTheWakeeWasStillQueued() {
        Story story = wakerOn0().runs(20, 2, 20).preempts(50, 2, 20, 30);
        Seen seen = story.waking(100, 0, 10, 20, 2)
                .wakeup(101, 0, 10, 20, 2)
                .blocks(120, 2, 30, 20)
                .only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.NOT_PLACED);
        assertThat(seen.latencyNs()).isEqualTo(20);
    }

    @Test
    void placedWhenTheWakerWaitedUntilTheWakeeHadLeftItsCpu() {
        Story story = wakerOn0().runs(20, 2, 20);
        Seen seen = story.waking(100, 0, 10, 20, 2)
                .blocks(105, 2, 20, 0)
                .migrates(106, 0, 10, 20, 2, 3)
                .wakeup(107, 0, 10, 20, 3)
                .runs(120, 3, 20)
                .only(20);
        assertThat(seen.verdict()).isNotEqualTo(Verdict.NOT_PLACED);
        assertThat(seen.chosenCpu()).isEqualTo(3);
        assertThat(seen.latencyNs()).isEqualTo(20);
    }

    @Test
    void notPlacedWhenPinned() {
        Story story = Story.withAffinity(20, CpuMask.of(2)).allIdle().runs(10, 0, 10);
        assertThat(place(story, 2, 2).runs(110, 2, 20).only(20).verdict()).isEqualTo(Verdict.NOT_PLACED);
    }

    @Test
    void notPlacedWhenAPerCpuKernelThread() {
        Story story = wakerOn0();
        story.names.learn(20, "ksoftirqd/2");
        assertThat(place(story, 2, 2).runs(110, 2, 20).only(20).verdict()).isEqualTo(Verdict.NOT_PLACED);
    }

    @Test
    void notPlacedWhenNotAFairTask() {
        Story story = wakerOn0();
        story.events.waking(100, 0, 10, SchedEvents.IN_TASK, 20, 49, 2);
        story.events.wakeup(102, 0, 10, SchedEvents.IN_TASK, 20, 49, 2);
        assertThat(story.runs(110, 2, 20).only(20).verdict()).isEqualTo(Verdict.NOT_PLACED);
    }

    @Test
    void unknownWhenEventsOfTheChosenCpuWereLostSinceItsLastSwitch() {
        Story story = wakerOn0();
        story.events.lost(50, 2, 7);
        Seen seen = place(story, 2, 2).runs(110, 2, 20).only(20);
        assertThat(seen.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(seen.reason()).isEqualTo(UnknownReason.EVENTS_LOST);
    }

    @Test
    void unknownWhenEventsOfThePreviousCpuWereLostSinceItsLastSwitch() {
        Story story = wakerOn0();
        story.events.lost(50, 3, 7);
        Seen seen = place(story, 3, 2).runs(110, 2, 20).only(20);
        assertThat(seen.reason()).isEqualTo(UnknownReason.EVENTS_LOST);
    }

    @Test
    void knownAgainAfterTheNextSwitch() {
        Story story = wakerOn0();
        story.events.lost(50, 2, 7);
        story.blocks(60, 2, 77, 0);
        assertThat(place(story, 2, 2).runs(110, 2, 20).only(20).verdict()).isEqualTo(Verdict.GOOD);
    }

    @Test
    void lossesGoBeforeNotPlaced() {
        Story story = Story.withAffinity(20, CpuMask.of(2)).allIdle().runs(10, 0, 10);
        story.events.lost(50, 2, 1);
        assertThat(place(story, 2, 2).runs(110, 2, 20).only(20).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void unknownWithoutTopologyUnlessItIsNotNeeded() {
        Story story = new Story(AuditOptions.of(null)).allIdle().runs(10, 0, 10);
        place(story, 2, 2).runs(110, 2, 20);
        story.waking(200, 0, 10, 21, 0).wakeup(201, 0, 10, 21, 0).blocks(210, 0, 10, 21);
        story.end();
        assertThat(story.seen).extracting(Seen::verdict).containsExactly(Verdict.UNKNOWN, Verdict.STACKED);
        assertThat(story.seen.getFirst().reason()).isEqualTo(UnknownReason.TOPOLOGY);
    }

    @Test
    void unknownWhenTheRecordingEndsBeforeAnythingTellsTheChoice() {
        Story story = wakerOn0();
        Seen seen = story.waking(100, 0, 10, 20, 2).only(20);
        assertThat(seen.chosenCpu()).isEqualTo(-1);
        assertThat(seen.certainty()).isEqualTo(Certainty.UNKNOWN);
        assertThat(seen.reason()).isEqualTo(UnknownReason.CHOSEN_CPU);
        assertThat(seen.cutOff()).isTrue();
    }

    @Test
    void aStateThatOnlyALaterSwitchTellsIsKnown() {
        // nothing of CPU 2 is in the recording before it switches from idle to the wakee
        Story story = new Story().runs(10, 0, 10).waking(100, 0, 10, 20, 2).wakeup(102, 0, 10, 20, 2);
        assertThat(story.runs(110, 2, 20).only(20).verdict()).isEqualTo(Verdict.GOOD);
    }

    @Test
    void aWakerThatEndsGivesUpItsCpuToo() {
        Story story = place(wakerOn0(), 0, 0);
        story.events.switched(150, 0, 10, Story.PRIO, TaskState.DEAD, 20, Story.PRIO);
        assertThat(story.only(20).verdict())
                .as("the waker is gone: its CPU was free next")
                .isEqualTo(Verdict.STACKED);
    }
}
