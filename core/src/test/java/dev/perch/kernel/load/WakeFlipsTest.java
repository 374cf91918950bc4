package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** Expected values: Y22 of placement.md 14.2, and the rules of 4.2. */
class WakeFlipsTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void howeverLongTheGapFlipsAreHalvedOnce() {
        WakeFlips flips = withForty(LoadTracking.Flips.HALVED);
        flips.record(0, 7, 1 + 3 * SECOND + SECOND / 2);
        assertThat(flips.of(0)).isEqualTo(21);

        WakeFlips same = withForty(LoadTracking.Flips.HALVED);
        same.record(0, 2, 1 + 3 * SECOND + SECOND / 2);
        assertThat(same.of(0)).isEqualTo(20);
    }

    @Test
    void until313TheyAreSetToZero() {
        WakeFlips flips = withForty(LoadTracking.Flips.ZEROED);
        flips.record(0, 7, 2 * SECOND);
        assertThat(flips.of(0)).isEqualTo(1);
    }

    @Test
    void withinASecondNothingDecays() {
        WakeFlips flips = withForty(LoadTracking.Flips.HALVED);
        flips.record(0, 7, SECOND);
        assertThat(flips.of(0)).isEqualTo(41);
        flips.record(0, 7, SECOND + 1);
        assertThat(flips.of(0)).isEqualTo(20);
    }

    @Test
    void wakingTheSameTaskAgainIsNoFlip() {
        WakeFlips flips = new WakeFlips(LoadTracking.Flips.HALVED, 2);
        flips.record(0, 1, 5);
        flips.record(0, 1, 6);
        assertThat(flips.of(0)).isEqualTo(1);
        assertThat(flips.of(1)).isZero();

        flips.ensure(10);
        flips.record(9, 0, 7);
        assertThat(flips.of(9)).isEqualTo(1);
        assertThat(flips.of(0)).isEqualTo(1);
        flips.begin(0, 8);
        assertThat(flips.of(0)).isZero();
    }

    /** A probe of 6.1.192 showed children with the flips of their parents at their first placement. */
    @Test
    void aChildTakesOverWhatItsParentHasCounted() {
        WakeFlips flips = withForty(LoadTracking.Flips.HALVED);
        flips.inherit(0, 1);
        assertThat(flips.of(1)).isEqualTo(40);
        flips.record(1, 2, 3);
        assertThat(flips.of(1)).as("the parent woke 2 last").isEqualTo(40);
        flips.record(1, 7, SECOND + 2);
        assertThat(flips.of(1)).as("the parent's second").isEqualTo(21);
    }

    @Test
    void theFirstWakeeOfATaskWithAnUnknownHistoryIsNoFlip() {
        WakeFlips flips = new WakeFlips(LoadTracking.Flips.HALVED, 3);
        flips.beginUnknown(0);
        flips.record(0, 1, 5);
        assertThat(flips.of(0)).isZero();
        flips.record(0, 2, 6);
        assertThat(flips.of(0)).isEqualTo(1);
    }

    @Test
    void flipsThatAreFoundToHaveDecayedBeginAnotherSecond() {
        WakeFlips flips = withForty(LoadTracking.Flips.HALVED);
        flips.halve(0, 2 * SECOND);
        assertThat(flips.of(0)).isEqualTo(20);
        flips.record(0, 7, 3 * SECOND);
        assertThat(flips.of(0)).isEqualTo(21);
        WakeFlips zeroed = withForty(LoadTracking.Flips.ZEROED);
        zeroed.halve(0, 5);
        assertThat(zeroed.of(0)).isZero();
    }

    @Test
    void kernelsBefore312CountNone() {
        assertThatIllegalArgumentException().isThrownBy(() -> new WakeFlips(LoadTracking.V3_11.flips(), 1));
    }

    private static WakeFlips withForty(LoadTracking.Flips rule) {
        WakeFlips flips = new WakeFlips(rule, 10);
        for (int i = 1; i <= 40; i++) {
            flips.record(0, 1 + (i + 1) % 2, i);
        }
        assertThat(flips.of(0)).isEqualTo(40);
        return flips;
    }
}
