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
    void theClosestEntryWinsAndTheLowerOfTwo() {
        assertThat(table.find(1728, Relation.C)).isEqualTo(1596);
        assertThat(table.find(1729, Relation.C)).isEqualTo(1596);
        assertThat(table.find(1730, Relation.C)).isEqualTo(1862);
        assertThat(table.find(9999, Relation.C)).isEqualTo(2394);
        assertThat(table.find(1, Relation.C)).isEqualTo(1596);
    }

    @Test
    void theRelationDecidesBetweenTwoEntries() {
        assertThat(table.find(1700, Relation.L)).isEqualTo(1862);
        assertThat(table.find(1700, Relation.H)).isEqualTo(1596);
    }

    @Test
    void theGovernorsWithoutChoiceRequestOneEntry() {
        assertThat(new Performance(table).requestKhz()).isEqualTo(2394);
        assertThat(new Powersave(table).requestKhz()).isEqualTo(1596);
        assertThat(new Userspace(table, 1700).requestKhz()).isEqualTo(1862);
        assertThat(new Userspace(table, 9999).requestKhz()).isEqualTo(2394);
    }

    @Test
    void anEmptyOrUnsortedTableIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FrequencyTable(new int[0]));
        assertThatIllegalArgumentException().isThrownBy(() -> new FrequencyTable(new int[] {2, 1}));
        assertThatIllegalArgumentException().isThrownBy(() -> new FrequencyTable(new int[] {0}));
    }
}
