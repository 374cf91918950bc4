package dev.perch.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels and their differences in words. The steps expected are those of placement.md 5 to 8 and of the matrix 13.2. */
class KernelTextTest {
    private static String show(String expression) {
        return Kernels.show(expression, TestKernels.HOME);
    }

    /** As {@link #show}, blanks and line ends alike. */
    private static String words(String expression) {
        return show(expression).replaceAll("\\s+", " ");
    }

    @Test
    void saysRulesFeaturesTunablesNotesAndPatches() {
        assertThat(show("v3.2-rc1+mikie2,NO_TTWU_QUEUE,sched_latency_ns=24000000"))
                .startsWith(
                        "v3.2-rc1+mikie2,NO_TTWU_QUEUE,sched_latency_ns=24000000: 3.2 before any preference for idle cores;")
                .contains("\npatch mikie2: ")
                .contains("\nnote: mikie2 is a reconstruction")
                .contains("  idle-search      mikie2       as 3.3, after prev if it is idle;")
                .contains("  TTWU_QUEUE                   off\n")
                .contains("  HRTICK                       off (not part of the model)\n")
                .contains("  SIBLING_LIMIT_SYNC           off\n")
                .contains("  sched_latency_ns             24000000\n")
                .contains("  sched_min_granularity_ns     computed at boot from the number of CPUs\n")
                .contains("\npatches that fit\n")
                .contains("  +suresh ")
                .doesNotContain("  +mikie2 ");
    }

    @Test
    void tellsAWakeupInTheOrderInWhichTheRulesAct() {
        assertThat(show("v6.1"))
                .containsSubsequence(
                        "a wakeup, step by step\n",
                        "  caller 5.15\n",
                        "  wake-wide 4.3\n",
                        "  wake-affine 5.11\n",
                        "    - WA_IDLE: ",
                        "    - WA_WEIGHT: ",
                        "  idle-search 6.1.192\n",
                        "    - S0 ",
                        "    - S1 the target, if it is available or runs only SCHED_IDLE work\n",
                        "    - S2 prev",
                        "    - S3 prev, if the waker is a kernel thread of one CPU",
                        "    - S4 the recent CPU",
                        "    - S5 ",
                        "    - S6 ",
                        "    - S7 ",
                        "    - S8 ",
                        "    - S9 the target\n",
                        "  fallback\n",
                        "  remote-queue 6.0\n",
                        "  idle-predicate 5.4\n",
                        "  slow-path 6.1.192\n",
                        "features\n",
                        "tunables\n");
        assertThat(show("v6.1").lines()).allMatch(line -> line.length() <= 140);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v3.2-rc1 | the walk ends after the first level that spans both this CPU and prev",
                "v3.9     | groups that contain the target are passed over",
                "v4.9     | none, but no scan if average idle time / 512 is below the average scan cost",
                "v4.11    | none; with SIS_AVG_CPU no scan",
                "v4.13    | with SIS_PROP the cache's size times average idle time / 512 over average scan cost, at least 4",
                "v4.16    | prev becomes the recent CPU on a hit",
                "v4.16    | S1 the target, if it is idle - S2",
                "v4.18    | S1 the target, if it is available - S2",
                "v5.4     | disallowed ones use up budget too",
                "v5.6     | from the target on, wrapping, over the allowed CPUs of the cache",
                "v5.7     | a scan by capacity from the target on, and nothing else",
                "v5.12.0  | of the waker's cache, a bug",
                "v5.14    | aged idle time",
                "v5.15    | prev is allowed (a bug: the recent CPU itself is not asked)",
                "v5.15    | from the CPU after the target on, wrapping, the target last",
                "v5.16-rc1+clear-target | the target taken out of the mask",
                "v5.16    | and the wakeup is not from an interrupt",
                "v6.0     | with SIS_UTIL as many CPUs as the cache's utilisation lets",
                "v6.1.0   | prev is allowed (a bug: the recent CPU itself is not asked)",
                "v6.1     | shares the cache with the target, is available or runs only SCHED_IDLE work and is allowed",
                "v6.1     | inside the cache domain, but prev, that is",
                "v6.7     | the target's cluster is scanned first",
                "v6.12    | the remembered prev, else the remembered recent CPU, else the target",
                "v6.18    | only the waker and delayed tasks are here",
                "v3.9+wake-on-current | a sync wakeup takes this CPU"
            })
    void aSearchSaysWhatIsItsOwn(String kernel, String step) {

        assertThat(words(kernel)).contains(step);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v4.16    | SCHED_IDLE",
                "v4.15    | recent CPU",
                "v5.4     | kernel thread",
                "v5.12.0  | prev's core",
                "v5.14    | CPU after the target",
                "v6.1     | SIS_PROP the cache's size",
                "v6.6     | cluster is another",
                "v6.1.0   | inside the cache domain, but prev",
                "v6.5     | (a bug"
            })
    void aSearchDoesNotSayWhatIsNotItsOwn(String kernel, String step) {
        assertThat(words(kernel)).doesNotContain(step);
    }

    @Test
    void everyRuleSetHasSteps() {
        for (RuleKind kind : RuleKind.values()) {
            for (String id : RuleCatalogue.ids(kind)) {
                assertThat(RuleCatalogue.steps(kind, id))
                        .as(kind + " " + id)
                        .isNotEmpty()
                        .doesNotContain("");
                assertThat(RuleCatalogue.rule(kind, id).source()).matches("(placement|scheduler)\\.md [0-9].*");
            }
        }
    }

    @Test
    void aRuleSetLikeAnotherContinuesItsSteps() {
        assertThat(RuleCatalogue.steps(RuleKind.REMOTE_QUEUE, "6.18"))
                .containsExactly(
                        "wakeups across last-level caches, and to any other CPU without a runnable task; it must be active and allowed",
                        "pending until the list has been worked off",
                        "not for sched_ext tasks",
                        "not for the stop class; sched_ext may permit it");
    }

    @Test
    void aKernelWithoutPatchesOfItsOwnNamesThoseThatFitAll() {
        assertThat(show("v3.12"))
                .contains("\npatches that fit\n  +wake-on-current")
                .doesNotContain("note:");
    }

    @Test
    void aDifferenceNamesRulesFeaturesAndTunables() {
        String text = Kernels.difference("v5.11", "v6.1", TestKernels.HOME).text();
        assertThat(text)
                .startsWith("from v5.11 to v6.1.192\n\nrules\n")
                .contains("  idle-search                  5.10 -> 6.1.192\n")
                .contains("    - S4 prev becomes the recent CPU on a hit")
                .contains("    + S4 prev becomes the recent CPU each time\n")
                .contains("  remote-queue                 5.11 -> 6.0\n")
                .contains("\nfeatures\n")
                .contains("  SIS_AVG_CPU                  gone, was off\n")
                .contains("  SIS_PROP                     on -> off\n")
                .contains("  SIS_UTIL                     new, on\n")
                .contains("\ntunables\n")
                .contains("  idle_min_granularity_ns      new, 750000\n")
                .contains("  sched_latency_ns             gone, was scaled\n")
                .doesNotContain("  wake-affine ")
                .doesNotContain("TTWU_QUEUE");
    }

    @Test
    void aDifferenceSeesSettingsAndPatches() {
        KernelDifference difference = Kernels.difference(
                "v3.9,sched_latency_ns=6000000", "v3.9+wake-on-current,NO_TTWU_QUEUE", TestKernels.HOME);
        assertThat(difference.rules())
                .containsExactly(
                        new KernelDifference.RuleChange(
                                "caller",
                                "3.7",
                                "3.7",
                                List.of(),
                                List.of(
                                        "a sync wakeup takes this CPU, if it is allowed and only the waker runs there (WAKE_ON_CURRENT)")));
        assertThat(difference.features())
                .containsExactly(
                        new KernelDifference.ValueChange("TTWU_QUEUE", "on", "off"),
                        new KernelDifference.ValueChange("WAKE_ON_CURRENT", "-", "on"));
        assertThat(difference.tunables())
                .containsExactly(new KernelDifference.ValueChange("sched_latency_ns", "6000000", "scaled"));
    }

    @Test
    void equalKernelsDoNotDiffer() {
        assertThat(Kernels.difference("v4.1", "v4.0", TestKernels.HOME).text())
                .isEqualTo("from v4.0 to v4.0\nnothing differs\n");
    }
}
