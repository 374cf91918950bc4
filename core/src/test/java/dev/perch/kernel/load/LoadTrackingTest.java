package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The rows of scheduler.md 3.1 and placement.md 5.7, 8.6. */
class LoadTrackingTest {
    @ParameterizedTest
    @CsvSource({
        "3.2, WEIGHT, WINDOW, CLAMPED, SMT_SHARE, true, false",
        "3.8, WEIGHT, FIRST_AVERAGES, CLAMPED, SMT_SHARE, true, false",
        "3.13, FIRST_RUNNABLE, FIRST_AVERAGES, CAPPED, SMT_SHARE, true, false",
        "4.3, RUNNABLE, AVERAGES, CAPPED, SMT_SHARE, true, true",
        "5.0, RUNNABLE, AVERAGES, CAPPED, OF_ARCHITECTURE, true, true",
        "5.5, AVERAGE, AVERAGES, CAPPED, OF_ARCHITECTURE, false, true",
        "5.14, AVERAGE, AVERAGES, AGED, OF_ARCHITECTURE, false, true",
        "6.6, AVERAGE, AVERAGES, AGED, OF_ARCHITECTURE, false, true",
        "6.12, AVERAGE, AVERAGES, ROUNDED_TO_ZERO, OF_ARCHITECTURE, false, true"
    })
    void erasKeepWhatTheSpecificationSays(
            String id,
            LoadTracking.CpuLoads loads,
            LoadTracking.Shares shares,
            IdleTime.Form idleTime,
            LoadTracking.Capacity capacity,
            boolean copies,
            boolean averages) {
        LoadTracking tracking = LoadTracking.named(id);
        assertThat(tracking.cpuLoads()).isEqualTo(loads);
        assertThat(tracking.shares()).isEqualTo(shares);
        assertThat(tracking.idleTime()).isEqualTo(idleTime);
        assertThat(tracking.capacity()).isEqualTo(capacity);
        assertThat(tracking.hasDecayedCopies()).isEqualTo(copies);
        assertThat(tracking.hasAverages()).isEqualTo(averages);
    }

    @ParameterizedTest
    @EnumSource(LoadTracking.class)
    void everyRowIsFoundByItsName(LoadTracking tracking) {
        assertThat(LoadTracking.named(tracking.id())).isSameAs(tracking);
    }

    @Test
    void flipsAndEstimatesCameWithTheirVersions() {
        assertThat(LoadTracking.V3_12.flips()).isEqualTo(LoadTracking.Flips.ZEROED);
        assertThat(LoadTracking.V4_0.flips()).isEqualTo(LoadTracking.Flips.HALVED);
        assertThat(LoadTracking.V4_17.estimate()).isEqualTo(LoadTracking.Estimate.TWO_VALUES);
        assertThat(LoadTracking.V6_7.estimate()).isEqualTo(LoadTracking.Estimate.ONE_VALUE);
        assertThat(LoadTracking.V6_0.boostsUtil()).isFalse();
        assertThat(LoadTracking.V6_5.boostsUtil()).isTrue();
    }

    @Test
    void anUnknownNameListsTheKnownOnes() {
        assertThatThrownBy(() -> LoadTracking.named("7.0"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'7.0'")
                .hasMessageContaining("6.12");
    }
}
