package dev.perch.report.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.audit.AuditOptions.Moment;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.report.observe.Timeline.Stint;
import dev.perch.report.observe.Timeline.Wake;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Which millisecond of a stream is taken, and what is kept of it. */
class MillisecondChoiceTest {
    private static final long MS = 1_000_000;

    private final TaskNames names = new TaskNames();
    private MillisecondChoice choice = new MillisecondChoice(Moment.START, Moment.END);

    /** {@code wakeups} wakeups of task 20, of which {@code moves} come with a change of CPU, in the millisecond that begins at {@code ns}. */
    private void millisecond(long ns, int wakeups, int moves) {
        for (int i = 0; i < wakeups; i++) {
            long at = ns + i * 1_000L;
            choice.waking(at, 0, 10, 0, 20, 120, 1);
            if (i < moves) {
                choice.migrated(at + 100, 0, 10, 20, 120, 1, 2);
            }
            choice.wakeup(at + 200, 0, 10, 0, 20, 120, i < moves ? 2 : 1);
        }
    }

    private Timeline chosen() {
        return Objects.requireNonNull(choice.choose(names));
    }

    @Test
    void takesTheMillisecondNearestToTheMediansOfWakeupsAndMoves() {
        int[][] counts = {{9, 9}, {4, 0}, {1, 1}, {5, 2}, {0, 0}, {6, 1}, {50, 2}, {4, 4}, {5, 5}};
        for (int i = 0; i < counts.length; i++) {
            millisecond(i * MS, counts[i][0], counts[i][1]);
        }
        choice.migrated(counts.length * MS, 0, 10, 20, 120, 1, 2);
        // Wakeups without the empty one: 1 4 4 5 5 6 9 50, median 5 (the lower of the two middle ones); moves: 0 1 1 2
        // 2 4 5 9, median 2.
        Timeline timeline = chosen();
        assertThat(timeline.sinceNs()).isEqualTo(3 * MS);
        assertThat(timeline.wakeups()).isEqualTo(5);
        assertThat(timeline.moves()).isEqualTo(2);
        assertThat(timeline.choice()).isEqualTo(new Timeline.Choice(9, 8, 8, 5, 2));
    }

    @Test
    void ofSeveralEquallyNearTakesTheEarliest() {
        for (int i = 0; i < 5; i++) {
            millisecond(7 * MS + i * MS, 3, 1);
        }
        assertThat(chosen().sinceNs()).isZero();
        assertThat(chosen().startNs()).isEqualTo(7 * MS);
    }

    @Test
    void theLastMillisecondIsNotTakenSinceItsEndIsNotSeen() {
        millisecond(0, 1, 0);
        millisecond(MS, 7, 7);
        assertThat(chosen().choice().withWakeups()).isEqualTo(1);
        assertThat(chosen().sinceNs()).isZero();
    }

    @Test
    void aStreamShorterThanAMillisecondIsTakenWhole() {
        millisecond(5_000, 3, 0);
        Timeline timeline = chosen();
        assertThat(timeline.lengthNs()).isEqualTo(2_200);
        assertThat(timeline.wakes()).hasSize(3);
    }

    @Test
    void withoutWakeupsThereIsNone() {
        choice.switched(0, 0, 1, 120, TaskState.SLEEPING, 2, 120);
        choice.switched(5 * MS, 0, 2, 120, TaskState.SLEEPING, 1, 120);
        assertThat(choice.choose(names)).isNull();
    }

    @Test
    void keepsOnlySoManyHoweverLongTheStreamIs() {
        for (int i = 0; i < 10_000; i++) {
            // A task that wakes in every second millisecond: thinning must not lose all of them.
            millisecond(i * MS, i % 2 == 0 ? 0 : 1 + i % 7, 0);
        }
        Timeline timeline = chosen();
        assertThat(timeline.choice().withWakeups()).isEqualTo(4_999);
        assertThat(timeline.choice().kept()).isBetween(32, MillisecondChoice.MOST_KEPT);
        assertThat(timeline.wakeups()).isEqualTo(timeline.choice().medianWakeups());
    }

    @Test
    void looksOnlyAtTheIntervalThatIsAskedFor() {
        choice = new MillisecondChoice(new Moment(3 * MS, true), new Moment(5 * MS, true));
        for (int i = 0; i < 8; i++) {
            millisecond(100 * MS + i * MS, 1 + i, 0);
        }
        Timeline timeline = chosen();
        assertThat(timeline.startNs()).isEqualTo(103 * MS);
        assertThat(timeline.wakeups()).isEqualTo(4);
    }

    @Test
    void keepsWhoRanWhereAndWhoWokeWhom() {
        names.learn(10, "a");
        names.learn(20, "b");
        choice.switched(1_000, 0, 0, 120, TaskState.RUNNABLE, 10, 120);
        choice.switched(2_000, 3, 20, 120, TaskState.SLEEPING, 0, 120);
        choice.waking(10_000, 0, 10, 0, 20, 120, 3);
        choice.wakeup(10_500, 3, 0, 0, 20, 120, 3);
        choice.switched(11_000, 3, 0, 120, TaskState.RUNNABLE, 20, 120);
        choice.switched(21_000, 0, 10, 120, TaskState.SLEEPING, 0, 120);
        Timeline timeline = chosen();
        assertThat(timeline.stints())
                .containsExactly(
                        new Stint(0, 0, 20_000, 10, "a"),
                        new Stint(3, 0, 1_000, 20, "b"),
                        new Stint(3, 1_000, 10_000, 0, "idle"),
                        new Stint(3, 10_000, 20_000, 20, "b"));
        assertThat(timeline.wakes()).containsExactly(new Wake(9_000, 0, 10, "a", 20, "b", 9_500, 3));
    }

    @Test
    void whatRanBeforeIsKnownInALaterMillisecond() {
        choice.switched(0, 1, 0, 120, TaskState.RUNNABLE, 30, 120);
        millisecond(MS, 2, 0);
        choice.migrated(3 * MS, 0, 10, 20, 120, 1, 2);
        assertThat(chosen().stints()).containsExactly(new Stint(1, 0, MS, 30, ""));
    }

    @Test
    void withoutWakingRecordsWakeupRecordsAreTheBeginning() {
        choice.wakeup(0, 0, 10, 0, 20, 120, 1);
        choice.wakeup(900, 0, 10, 0, 21, 120, 1);
        assertThat(chosen().wakeups()).isEqualTo(2);
        assertThat(chosen().wakes().getFirst().queuedNs()).isZero();
        assertThat(chosen().wakes().getFirst().target()).isEqualTo(1);
    }
}
