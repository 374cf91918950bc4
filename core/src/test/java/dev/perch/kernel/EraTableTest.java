package dev.perch.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every kernel's rule sets and features against the tables of placement.md 12 and 13, row by row and column by column. */
class EraTableTest {
    /**
     * The rows of placement.md 13, each for all versions that it covers; a cell that says "as before" is written out. Wake-wide from
     * placement.md 4.2 to 4.4, the point releases from 7.3, 8.5 and 9.4; there
     * too that 6.2 to 6.11 keep a wakeup pending for longer, and 5.6, 5.8: 5.15 callers.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v2.6.39 v3.0 v3.1           | 3.2  | none | virgin   | 3.1  | every-remote | current-only",
                "v3.2-rc1                    | 3.2  | none | virgin   | 3.1  | every-remote | 3.2",
                "v3.2-rc1+idle-core          | 3.2  | none | idle-core | 3.1 | every-remote | 3.2",
                "v3.2 v3.2.7                 | 3.2  | none | 3.2      | 3.1  | every-remote | 3.2",
                "v3.3 v3.4 v3.5 v3.6         | 3.3  | none | 3.3      | 3.1  | other-llc    | 3.2",
                "v3.6-rc1 v3.6-rc3 v3.6-rc5  | 3.3  | none | buddies  | 3.1  | other-llc    | 3.2",
                "v3.6-rc6 v3.6.0 v3.6.5      | 3.3  | none | 3.3      | 3.1  | other-llc    | 3.2",
                "v3.7 v3.8                   | 3.7  | none | 3.3      | 3.1  | other-llc    | 3.2",
                "v3.9 v3.10 v3.11            | 3.7  | none | 3.9      | 3.1  | other-llc    | 3.2",
                "v3.12 v3.13                 | 3.7  | 3.12 | 3.9      | 3.12 | other-llc    | 3.2",
                "v3.14 v3.15                 | 4.0  | 4.0  | 3.9      | 4.0  | other-llc    | 3.2",
                "v3.16 v3.19 v4.0 v4.1 v4.2  | 4.0  | 4.0  | 3.9      | 4.0  | 3.16         | 3.2",
                "v4.3 v4.4 v4.5 v4.6 v4.7 v4.8 | 4.3 | 4.3 | 3.9      | 4.3  | 3.16         | 3.2",
                "v4.9 v4.10                  | 4.9  | 4.3  | 4.9      | 4.3  | 3.16         | 3.2",
                "v4.11 v4.12                 | 4.9  | 4.3  | 4.11     | 4.3  | 3.16         | 3.2",
                "v4.13                       | 4.9  | 4.3  | 4.13     | 4.13 | 3.16         | 3.2",
                "v4.14 v4.15                 | 4.9  | 4.3  | 4.13     | 4.14 | 3.16         | 3.2",
                "v4.16 v4.17                 | 4.9  | 4.3  | 4.16     | 4.16 | 3.16         | 3.2",
                "v4.18 v4.19 v4.20 v5.0 v5.1 v5.2 v5.3 | 4.9 | 4.3 | 4.18 | 4.18 | 3.16     | 4.18",
                "v5.4                        | 4.9  | 4.3  | 5.4      | 4.18 | 3.16         | 5.4",
                "v5.6                        | 4.9  | 4.3  | 5.6      | 5.6  | 3.16         | 5.4",
                "v5.7                        | 5.7  | 4.3  | 5.7      | 5.6  | 3.16         | 5.4",
                "v5.8 v5.9                   | 5.8  | 4.3  | 5.7      | 5.6  | 5.8          | 5.4",
                "v5.10                       | 5.8  | 4.3  | 5.10     | 5.6  | 5.8          | 5.4",
                "v5.11                       | 5.8  | 4.3  | 5.10     | 5.11 | 5.11         | 5.4",
                "v5.12.0                     | 5.8  | 4.3  | 5.12     | 5.11 | 5.11         | 5.4",
                "v5.12 v5.12.9 v5.13         | 5.8  | 4.3  | 5.13     | 5.11 | 5.11         | 5.4",
                "v5.14                       | 5.8  | 4.3  | 5.14     | 5.11 | 5.11         | 5.4",
                "v5.15 v5.16-rc1             | 5.15 | 4.3  | 5.15     | 5.11 | 5.11         | 5.4",
                "v5.16-rc1+clear-target      | 5.15 | 4.3  | clear-target | 5.11 | 5.11     | 5.4",
                "v5.16 v5.17 v5.18 v5.19     | 5.15 | 4.3  | 5.16     | 5.11 | 5.11         | 5.4",
                "v6.0                        | 5.15 | 4.3  | 6.0      | 5.11 | 6.0          | 5.4",
                "v6.1.0                      | 5.15 | 4.3  | 6.1      | 5.11 | 6.0          | 5.4",
                "v6.2 v6.3 v6.4              | 5.15 | 4.3  | 6.1      | 5.11 | 6.2          | 5.4",
                "v6.1 v6.1.192               | 5.15 | 4.3  | 6.1.192  | 5.11 | 6.0          | 5.4",
                "v6.5                        | 5.15 | 4.3  | 6.5      | 5.11 | 6.2          | 5.4",
                "v6.6                        | 6.6  | 4.3  | 6.5      | 5.11 | 6.2          | 5.4",
                "v6.7 v6.8                   | 6.6  | 4.3  | 6.7      | 5.11 | 6.2          | 5.4",
                "v6.9 v6.10 v6.11            | 6.6  | 4.3  | 6.9      | 5.11 | 6.2          | 5.4",
                "v6.12.0 v6.13 v6.14 v6.15 v6.17 | 6.6 | 4.3 | 6.9    | 5.11 | 6.12         | 5.4",
                "v6.12 v6.12.117 v6.18 v6.18.2 v6.19 | 6.6 | 4.3 | 6.9 | 6.18 | 6.18        | 5.4"
            })
    void aVersionHasThePlacementOfItsRow(
            String versions, String caller, String wide, String search, String affine, String queue, String predicate) {
        for (String version : versions.split(" +")) {
            RuleSets rules = TestKernels.named(version).rules();
            assertThat(List.of(
                            rules.caller(),
                            rules.wakeWide(),
                            rules.idleSearch(),
                            rules.wakeAffine(),
                            rules.remoteQueue(),
                            rules.idlePredicate()))
                    .as(version)
                    .containsExactly(caller, wide, search, affine, queue, predicate);
        }
    }

    /** Slow paths from placement.md 8.7 and 8.8, average idle time from 5.7 and 7.1, by the versions from which they hold. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v2.6.39 v3.9              | 3.1     | 3.2",
                "v3.12                     | 3.12    | 3.2",
                "v3.13 v3.15               | 3.12    | 3.13",
                "v3.16 v4.0 v4.8           | 3.16    | 3.13",
                "v4.9                      | 4.9     | 3.13",
                "v4.10 v4.12 v4.14         | 4.10    | 3.13",
                "v4.15                     | 4.15    | 3.13",
                "v4.16 v4.18               | 4.16    | 3.13",
                "v4.19 v5.0 v5.3           | 4.19    | 3.13",
                "v5.4                      | 5.4     | 3.13",
                "v5.5 v5.6 v5.8            | 5.6     | 3.13",
                "v5.9 v5.10                | 5.9     | 3.13",
                "v5.11 v5.13               | 5.11    | 3.13",
                "v5.14 v5.17               | 5.11    | 5.14",
                "v5.18 v5.19               | 5.18    | 5.14",
                "v6.0                      | 6.0     | 5.14",
                "v6.1.0 v6.6               | 6.1     | 5.14",
                "v6.1                      | 6.1.192 | 5.14",
                "v6.7 v6.11 v6.12.0 v6.14 v6.18 | 6.1 | 6.7",
                "v6.12 v6.19               | 6.1.192 | 6.7"
            })
    void aVersionHasTheSlowPathAndIdleTimeOfItsTime(String versions, String slowPath, String avgIdle) {
        for (String version : versions.split(" +")) {
            RuleSets rules = TestKernels.named(version).rules();
            assertThat(List.of(rules.slowPath(), rules.avgIdle())).as(version).containsExactly(slowPath, avgIdle);
        }
    }

    /** The columns of placement.md 12. */
    private static final String[] COLUMNS = {
        "v3.2",
        "v3.3 v3.6",
        "v3.8 v3.13",
        "v4.0",
        "v4.4 v4.10",
        "v4.11 v4.12",
        "v4.13",
        "v4.14 v4.19",
        "v4.20 v5.0",
        "v5.4 v5.11",
        "v5.12 v5.19",
        "v6.0 v6.6",
        "v6.7 v6.19"
    };

    /** The rows of placement.md 12: 1 on, 0 off, - not there; UTIL_EST begins inside a column, which the next test looks at. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "AFFINE_WAKEUPS    | 1 1 - - - - - - - - - - -",
                "TTWU_QUEUE        | 1 1 1 1 1 1 1 1 1 1 1 1 1",
                "LB_BIAS           | 1 1 1 1 1 1 1 1 0 - - - -",
                "SIS_AVG_CPU       | - - - - - 0 0 0 0 0 - - -",
                "SIS_PROP          | - - - - - - 1 1 1 1 1 0 -",
                "SIS_UTIL          | - - - - - - - - - - - 1 1",
                "WA_IDLE           | - - - - - - - 1 1 1 1 1 1",
                "WA_WEIGHT         | - - - - - - - 1 1 1 1 1 1",
                "WA_BIAS           | - - - - - - - 1 1 1 1 1 1",
                "WAKEUP_PREEMPTION | - - 1 1 1 1 1 1 1 1 1 1 1"
            })
    void aFeatureHasTheDefaultsOfItsRow(String feature, String defaults) {
        String[] cells = defaults.split(" ");
        for (int column = 0; column < COLUMNS.length; column++) {
            for (String version : COLUMNS[column].split(" ")) {
                assertThat(value(version, feature)).as(version).isEqualTo(cells[column]);
            }
        }
    }

    /** The list below the table of placement.md 12: a feature in the last version before a change, and in the first after it. */
    @ParameterizedTest
    @CsvSource({
        "GENTLE_FAIR_SLEEPERS,v3.2,1,v6.5,1,v6.6,-",
        "START_DEBIT,v3.2,1,v6.5,1,v6.6,-",
        "NEXT_BUDDY,v3.2,0,v6.6,0,v6.19,0",
        "LAST_BUDDY,v3.2,1,v6.5,1,v6.6,-",
        "CACHE_HOT_BUDDY,v3.2,1,v5.16,1,v6.18,1",
        "HRTICK,v3.2,0,v5.4,0,v6.18,0",
        "DOUBLE_TICK,v3.2,0,v6.12,0,v6.14,-",
        "OWNER_SPIN,v3.2,1,v3.9,1,v3.12,-",
        "FORCE_SD_OVERLAP,v3.2,0,v4.12,0,v4.13,-",
        "RT_RUNTIME_SHARE,v3.2,1,v5.9,1,v5.10,0",
        "LB_MIN,v3.4,-,v3.5,0,v3.8,0",
        "WAKEUP_PREEMPTION,v3.7,-,v3.8,1,v6.18,1",
        "NONTASK_POWER,v3.2,1,v3.13,1,v4.0,-",
        "NONTASK_CAPACITY,v3.13,-,v4.0,1,v6.18,1",
        "ARCH_POWER,v3.6,0,v3.7,1,v4.0,-",
        "ARCH_CAPACITY,v3.13,-,v4.0,1,v4.4,-",
        "NUMA_FAVOUR_HIGHER,v3.12,-,v4.0,1,v4.4,-",
        "NUMA_RESIST_LOWER,v3.12,-,v3.13,0,v4.4,-",
        "RT_PUSH_IPI,v4.0,-,v4.4,1,v6.18,1",
        "ATTACH_AGE_LOAD,v4.0,-,v4.4,1,v6.18,1",
        "WARN_DOUBLE_CLOCK,v4.9,-,v4.12,0,v6.18,0",
        "UTIL_EST,v4.16,-,v4.17,1,v6.18,1",
        "UTIL_EST_FASTUP,v5.4,-,v5.6,1,v6.8,-",
        "HRTICK_DL,v5.11,-,v5.12,0,v6.18,0",
        "ALT_PERIOD,v5.11,-,v5.12,1,v6.6,-",
        "BASE_SLICE,v5.11,-,v5.12,1,v6.6,-",
        "LATENCY_WARN,v5.13,-,v5.14,0,v6.18,0",
        "PLACE_LAG,v6.5,-,v6.6,1,v6.19,1",
        "PLACE_DEADLINE_INITIAL,v6.5,-,v6.6,1,v6.19,1",
        "RUN_TO_PARITY,v6.5,-,v6.6,1,v6.19,1",
        "HZ_BW,v6.5,-,v6.6,1,v6.12,-",
        "PLACE_REL_DEADLINE,v6.9,-,v6.12,1,v6.19,1",
        "PREEMPT_SHORT,v6.9,-,v6.12,1,v6.19,1",
        "PICK_BUDDY,v6.9,-,v6.12,1,v6.19,1",
        "DELAY_DEQUEUE,v6.9,-,v6.12,1,v6.19,1",
        "DELAY_ZERO,v6.9,-,v6.12,1,v6.19,1",
        "NI_RANDOM,v6.1.0,-,v6.1,1,v6.5,-",
        "NI_RANDOM,v6.12.0,-,v6.12,1,v6.14,-",
        "NI_RANDOM,v6.18.2,-,v6.18,1,v6.19,1"
    })
    void aFeatureComesAndGoesAsTheListSays(
            String feature, String first, String before, String second, String changed, String third, String after) {
        assertThat(List.of(value(first, feature), value(second, feature), value(third, feature)))
                .containsExactly(before, changed, after);
    }

    private static String value(String version, String feature) {
        Boolean on = TestKernels.named(version).features().get(feature);
        return on == null ? "-" : on ? "1" : "0";
    }

    /** scheduler.md 1.5 and 2.1. */
    @Test
    void tunablesAreThoseOfTheTime() {
        assertThat(TestKernels.named("v5.11").tunables()).containsEntry("sched_migration_cost_ns", 500_000L);
        assertThat(TestKernels.named("v6.18").tunables()).containsEntry("migration_cost_ns", 500_000L);
        assertThat(TestKernels.named("v5.16").tunables()).containsEntry("idle_min_granularity_ns", 750_000L);
        assertThat(TestKernels.named("v6.6,base_slice_ns=3000000").tunables())
                .isEqualTo(Map.of(
                        "base_slice_ns", 3_000_000L, "migration_cost_ns", 500_000L, "sched_child_runs_first", 0L));
    }
}
