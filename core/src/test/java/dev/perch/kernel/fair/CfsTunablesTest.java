package dev.perch.kernel.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: scheduler.md 11, A1. */
class CfsTunablesTest {
    @ParameterizedTest
    @CsvSource({
        "1, 6000000, 750000, 1000000",
        "2, 12000000, 1500000, 2000000",
        "3, 12000000, 1500000, 2000000",
        "4, 18000000, 2250000, 3000000",
        "6, 18000000, 2250000, 3000000",
        "8, 24000000, 3000000, 4000000",
        "16, 24000000, 3000000, 4000000",
        "128, 24000000, 3000000, 4000000"
    })
    void growWithTheLogarithmOfTheOnlineCpus(int online, long latency, long minGranularity, long wakeupGranularity) {
        CfsTunables tunables = CfsTunables.scaled(online, Map.of());

        assertThat(tunables)
                .isEqualTo(new CfsTunables(latency, minGranularity, wakeupGranularity, 750_000, 8, 500_000, false));
    }

    @Test
    void writtenValuesReplaceTheScaledOnesAndTheTaskCountOfThePeriodFollows() {
        CfsTunables tunables = CfsTunables.scaled(
                8, Map.of("sched_latency_ns", 10_000_000L, "sched_migration_cost_ns", 0L, "sched_nr_migrate", 32L));

        assertThat(tunables).isEqualTo(new CfsTunables(10_000_000, 3_000_000, 4_000_000, 750_000, 4, 0, false));
    }

    @Test
    void aMachineHasAnOnlineCpu() {
        assertThatIllegalArgumentException().isThrownBy(() -> CfsTunables.scaled(0, Map.of()));
    }
}
