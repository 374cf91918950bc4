package dev.perch.kernel.cpufreq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** The relations of scheduler.md 6.1. */
class FrequencyTableTest {
    private final FrequencyTable table = new FrequencyTable(new int[] {1596, 1862, 2394});

    @Test
    void roundsUpToAnEntryOrTakesTheHighest() {
        assertThat(table.atLeast(0)).isEqualTo(1596);
        assertThat(table.atLeast(1597)).isEqualTo(1862);
        assertThat(table.atLeast(1862)).isEqualTo(1862);
        assertThat(table.atLeast(9999)).isEqualTo(2394);
    }

    @Test
    void roundsDownToAnEntryOrTakesTheLowest() {
        assertThat(table.atMost(9999)).isEqualTo(2394);
        assertThat(table.atMost(2393)).isEqualTo(1862);
        assertThat(table.atMost(1862)).isEqualTo(1862);
        assertThat(table.atMost(0)).isEqualTo(1596);
    }

    @Test
    void anEmptyOrUnsortedTableIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FrequencyTable(new int[0]));
        assertThatIllegalArgumentException().isThrownBy(() -> new FrequencyTable(new int[] {2, 1}));
        assertThatIllegalArgumentException().isThrownBy(() -> new FrequencyTable(new int[] {0}));
    }
}
