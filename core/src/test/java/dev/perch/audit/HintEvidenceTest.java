package dev.perch.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.TaskNames;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether a sort of wakeups gives the sync hint is known once enough of them tell the same. */
class HintEvidenceTest {
    private final AuditTasks tasks = new AuditTasks(new TaskNames(), Map.of());
    private final HintEvidence hints = new HintEvidence();

    private void add(
            int count, int waker, int wakee, boolean uninterruptible, boolean onlyWith, MissingInput otherwise) {
        Wakeup wakeup = new Wakeup();
        wakeup.start();
        wakeup.wakerSlot = tasks.slot(waker);
        wakeup.wakeeSlot = tasks.slot(wakee);
        for (int i = 0; i < count; i++) {
            hints.add(wakeup, uninterruptible, onlyWith, otherwise);
        }
    }

    @Test
    void fewWakeupsTellNothing() {
        add(HintEvidence.LEAST - 1, 10, 11, false, true, MissingInput.NONE);
        HintEvidence.Outcome outcome = hints.finish(tasks);
        assertThat(outcome.agree()).isZero();
        assertThat(outcome.unknown()).isEqualTo(Map.of(MissingInput.SYNC, HintEvidence.LEAST - 1L));
    }

    @Test
    void theMajorityTellsAndTheRestDisagrees() {
        add(40, 10, 11, false, true, MissingInput.NONE);
        add(2, 10, 11, false, false, MissingInput.NONE);
        add(3, 10, 11, false, false, MissingInput.LOAD);
        HintEvidence.Outcome outcome = hints.finish(tasks);
        assertThat(outcome.agree()).isEqualTo(40);
        assertThat(outcome.disagree()).isEqualTo(2);
        assertThat(outcome.unknown()).isEqualTo(Map.of(MissingInput.LOAD, 3L));
    }

    @Test
    void wakeupsThatTellBothTellNothing() {
        add(20, 10, 11, false, true, MissingInput.NONE);
        add(20, 10, 11, false, false, MissingInput.NONE);
        assertThat(hints.finish(tasks).unknown()).isEqualTo(Map.of(MissingInput.SYNC, 40L));
    }

    @Test
    void aWakeeThatSleptForALockIsOfAnotherSort() {
        add(20, 10, 11, false, true, MissingInput.NONE);
        add(20, 10, 11, true, false, MissingInput.NONE);
        HintEvidence.Outcome outcome = hints.finish(tasks);
        assertThat(outcome.agree()).isEqualTo(40);
        assertThat(outcome.disagree()).isZero();
        assertThat(outcome.unknown()).isEmpty();
    }

    @Test
    void manyPairsOfTasksAreKept() {
        for (int pair = 0; pair < 500; pair++) {
            add(10, 1000 + pair, 2000 + pair, false, pair % 2 == 0, MissingInput.NONE);
        }
        HintEvidence.Outcome outcome = hints.finish(tasks);
        assertThat(outcome.agree() + outcome.disagree() + outcome.unknown().getOrDefault(MissingInput.SYNC, 0L))
                .isEqualTo(5000);
    }
}
