package dev.perch.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.perch.audit.Story.Seen;
import dev.perch.model.SchedEvents;
import org.junit.jupiter.api.Test;

/** How the chosen CPU is known, how long wakeups take and what of; all numbers by hand. */
class LatencyTest {

    private static Story wakerOn0() {
        return new Story().allIdle().runs(10, 0, 10);
    }

    @Test
    void splitsIntoIdleExitAndRest() {
        Story story = wakerOn0();
        story.events.idle(20, 2, 1);
        story.waking(100, 0, 10, 20, 2);
        story.events.ipiSent(103, 0, 2);
        story.wakeup(130, 2, 0, 20, 2);
        story.events.idle(140, 2, -1);
        Seen seen = story.runs(150, 2, 20).only(20);
        assertThat(seen.latencyNs()).isEqualTo(50);
        assertThat(seen.queueingNs()).isZero();
        assertThat(seen.idleExitNs()).as("in the idle state from 100 to 140").isEqualTo(40);
        assertThat(seen.restNs()).isEqualTo(10);
        assertThat(seen.ipi()).isEqualTo(Answer.YES);
    }

    @Test
    void aMissingSwitchMakesALatencyUnknownAndNotLong() {
        // the switch to 20 on CPU 2 is missing: only its way out, at 9000, shows that it ran
        Story story = wakerOn0().waking(100, 0, 10, 20, 2).wakeup(102, 0, 10, 20, 2);
        story.blocks(9000, 2, 20, 0);
        story.waking(10_000, 0, 10, 20, 2).wakeup(10_002, 0, 10, 20, 2).runs(10_050, 2, 20);
        AuditResult result = story.end();
        assertThat(result.counts().gaps()).isEqualTo(1);
        assertThat(result.wakeups().count()).isEqualTo(2);
        assertThat(result.wakeups().latencies().getTotalCount()).isEqualTo(1);
        assertThat(result.wakeups().latencies().getMaxValue()).isEqualTo(50);
        assertThat(AuditHints.of(result)).anyMatch(hint -> hint.startsWith("1 switches are missing"));
    }

    @Test
    void idleExitIsUnknownWithoutIdleEvents() {
        Seen seen = wakerOn0()
                .waking(100, 0, 10, 20, 2)
                .wakeup(102, 0, 10, 20, 2)
                .runs(150, 2, 20)
                .only(20);
        assertThat(seen.idleExitNs()).isEqualTo(-1);
        assertThat(seen.restNs()).isEqualTo(50);
        assertThat(seen.ipi()).isEqualTo(Answer.UNKNOWN);
    }

    @Test
    void splitsQueueingOverTwoQueues() {
        // 20 waits behind 102 on CPU 2 from 100 to 150, is moved to CPU 3, behind 103 until 170, which is then idle
        // until 180
        Story story = wakerOn0().runs(20, 2, 102).runs(20, 3, 103);
        story.waking(100, 0, 10, 20, 2).wakeup(105, 0, 10, 20, 2);
        story.migrates(150, 3, 103, 20, 2, 3);
        story.blocks(170, 3, 103, 0);
        Seen seen = story.runs(180, 3, 20).only(20);
        assertThat(seen.chosenCpu())
                .as("where it was enqueued, before balancing")
                .isEqualTo(2);
        assertThat(seen.latencyNs()).isEqualTo(80);
        assertThat(seen.queueingNs()).isEqualTo(50 + 20);
        assertThat(seen.restNs()).isEqualTo(10);
    }

    @Test
    void theTargetOfAWakingRecordIsThePreviousCpuAndTheMigrationTellsTheChosenOne() {
        Seen seen = wakerOn0()
                .waking(100, 0, 10, 20, 2)
                .migrates(101, 0, 10, 20, 2, 5)
                .runs(150, 5, 20)
                .only(20);
        assertThat(seen.prevCpu()).isEqualTo(2);
        assertThat(seen.chosenCpu()).isEqualTo(5);
        assertThat(seen.certainty()).isEqualTo(Certainty.EXACT);
    }

    @Test
    void withoutAMigrationThePreviousCpuIsDerived() {
        Seen seen = wakerOn0().waking(100, 0, 10, 20, 2).runs(150, 2, 20).only(20);
        assertThat(seen.chosenCpu()).isEqualTo(2);
        assertThat(seen.certainty()).isEqualTo(Certainty.DERIVED);
    }

    @Test
    void theFirstSwitchInTellsWhereNoMigrationIsRecorded() {
        Seen seen = wakerOn0()
                .waking(100, 0, 10, 20, 2)
                .blocks(120, 0, 10, 0)
                .runs(150, 5, 20)
                .only(20);
        assertThat(seen.chosenCpu()).isEqualTo(5);
        assertThat(seen.certainty()).isEqualTo(Certainty.DERIVED);
    }

    @Test
    void aLaterMigrationByTheBalancerDoesNotChangeTheChosenCpu() {
        Seen seen = wakerOn0()
                .runs(20, 2, 102)
                .waking(100, 0, 10, 20, 2)
                .blocks(110, 0, 10, 0)
                .migrates(120, 5, 0, 20, 2, 5)
                .runs(150, 5, 20)
                .only(20);
        assertThat(seen.chosenCpu()).isEqualTo(2);
        assertThat(seen.certainty()).isEqualTo(Certainty.DERIVED);
    }

    @Test
    void aSavedInterruptIsNoInterrupt() {
        Story story = wakerOn0();
        story.waking(100, 0, 10, 20, 2);
        story.events.wakeIdleWithoutIpi(101, 0, 2);
        story.wakeup(102, 0, 10, 20, 2);
        assertThat(story.runs(110, 2, 20).only(20).ipi()).isEqualTo(Answer.NO);
    }

    @Test
    void aWakeupOnTheOwnCpuNeedsNoInterrupt() {
        Seen seen = wakerOn0()
                .waking(100, 0, 10, 20, 0)
                .wakeup(102, 0, 10, 20, 0)
                .blocks(110, 0, 10, 20)
                .only(20);
        assertThat(seen.ipi()).isEqualTo(Answer.NO);
    }

    @Test
    void numbersByTimeThenCpu() {
        Story story = wakerOn0().runs(20, 4, 14);
        story.waking(100, 4, 14, 21, 5).waking(100, 0, 10, 20, 2);
        story.waking(200, 0, 10, 22, 3);
        story.runs(300, 2, 20).runs(301, 5, 21).runs(302, 3, 22);
        story.end();
        assertThat(story.seen)
                .extracting(Seen::wakee, Seen::number)
                .containsExactlyInAnyOrder(tuple(20, 1L), tuple(21, 2L), tuple(22, 3L));
    }

    @Test
    void withoutWakingRecordsAWakeupRecordIsTheWakeup() {
        Story story = wakerOn0().runs(20, 2, 20).blocks(50, 2, 20, 0);
        Seen seen = story.wakeup(100, 0, 10, 20, 3).runs(110, 3, 20).only(20);
        assertThat(seen.ns()).isEqualTo(100);
        assertThat(seen.prevCpu()).isEqualTo(2);
        assertThat(seen.chosenCpu()).isEqualTo(3);
        assertThat(seen.waker()).isEqualTo(10);
    }

    @Test
    void aWakeupWhoseWakingRecordLiesBeforeTheStartIsNoneOfTheRecordings() {
        Story story = new Story();
        story.wakeup(5, 2, 0, 19, 2).runs(10, 2, 19).runs(20, 0, 10);
        story.waking(100, 0, 10, 20, 3).wakeup(101, 0, 10, 20, 3).runs(110, 3, 20);
        story.end();
        assertThat(story.seen).extracting(Seen::wakee).containsExactly(20);
        assertThat(story.seen.getFirst().number()).isEqualTo(1);
    }

    @Test
    void aWaitThatTheEndCutsOffIsCountedAsSuch() {
        Story story = wakerOn0().runs(20, 2, 102);
        story.waking(100, 0, 10, 20, 2).wakeup(101, 0, 10, 20, 2);
        AuditResult result = story.end();
        assertThat(story.seen.getFirst().cutOff()).isTrue();
        assertThat(story.seen.getFirst().latencyNs()).isEqualTo(-1);
        assertThat(story.seen.getFirst().verdict()).isEqualTo(Verdict.QUEUED);
        assertThat(result.waitsCutAtEnd()).isEqualTo(1);
        assertThat(result.wakeups().cutOff()).isEqualTo(1);
    }

    @Test
    void aWaitAcrossALossHasNoLatency() {
        Story story = wakerOn0().runs(20, 2, 102);
        story.waking(100, 0, 10, 20, 2).wakeup(101, 0, 10, 20, 2);
        story.events.lost(150, 2, -1);
        Seen seen = story.blocks(200, 2, 102, 20).only(20);
        assertThat(seen.latencyNs()).isEqualTo(-1);
        assertThat(story.audit.counts().lost()).isEqualTo(1);
    }

    @Test
    void aPidThatIsUsedAgainIsAnotherTask() {
        Story story = wakerOn0();
        story.names.learn(20, "first");
        story.runs(20, 2, 20);
        story.events.exited(90, 2, 20, Story.PRIO);
        story.events.switched(100, 2, 20, Story.PRIO, dev.perch.model.TaskState.DEAD, 0, Story.PRIO);
        story.events.forked(200, 0, 10, 20);
        story.names.learn(20, "second");
        story.events.wakeupNew(210, 0, 10, SchedEvents.IN_TASK, 20, Story.PRIO, 3);
        story.runs(220, 3, 20).blocks(230, 3, 20, 0);
        AuditResult result = story.end();
        assertThat(result.taskRows())
                .filteredOn(row -> row.pid() == 20)
                .extracting(AuditResult.TaskRow::name, AuditResult.TaskRow::runNs)
                .containsExactly(tuple("first", 80L), tuple("second", 10L));
    }

    @Test
    void measuresIdleWhileQueued() {
        // 30 waits behind 102 on CPU 2 from 100 to 160; all CPUs but 0 and 2 are idle
        Story story = wakerOn0().runs(20, 2, 102);
        story.events.wakeupNew(100, 0, 10, SchedEvents.IN_TASK, 30, Story.PRIO, 2);
        story.blocks(160, 2, 102, 30);
        story.blocks(200, 2, 30, 0);
        AuditResult result = story.end();
        assertThat(result.system().idleWhileQueuedNs()).isEqualTo(60);
        assertThat(result.system().durationNs()).isEqualTo(200);
        assertThat(result.cpuRows().get(2).busyNs()).isEqualTo(180);
    }

    @Test
    void anIntervalCutsTimesAndWakeups() {
        Story story = new Story(AuditOptions.of(Story.TWO_LLCS)
                        .withInterval(new AuditOptions.Moment(100, false), new AuditOptions.Moment(200, true)))
                .allIdle()
                .runs(10, 0, 10);
        story.waking(50, 0, 10, 20, 2).wakeup(51, 0, 10, 20, 2).runs(60, 2, 20).blocks(150, 2, 20, 0);
        story.waking(160, 0, 10, 20, 2)
                .wakeup(161, 0, 10, 20, 2)
                .runs(170, 2, 20)
                .blocks(250, 2, 20, 0);
        AuditResult result = story.end();
        assertThat(story.seen).hasSize(1);
        assertThat(story.seen.getFirst().number()).isEqualTo(2);
        assertThat(result.cpuRows().get(2).busyNs()).isEqualTo(50 + 30);
    }
}
