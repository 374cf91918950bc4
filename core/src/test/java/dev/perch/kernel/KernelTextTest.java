package dev.perch.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A kernel in words. */
class KernelTextTest {
    @Test
    void saysRulesFeaturesTunablesNotesAndPatches() {
        assertThat(Kernels.show("v3.2-rc1+mikie2,NO_TTWU_QUEUE,sched_latency_ns=24000000", TestKernels.HOME))
                .startsWith(
                        "v3.2-rc1+mikie2,NO_TTWU_QUEUE,sched_latency_ns=24000000: 3.2 before any preference for idle cores;")
                .contains("\npatch mikie2: ")
                .contains("\nnote: mikie2 is a reconstruction")
                .contains("  idle-search                  mikie2         as 3.3, after prev if it is idle;")
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
    void aKernelWithoutPatchesSaysNothingOfThem() {
        assertThat(Kernels.show("v3.9", TestKernels.HOME))
                .doesNotContain("patch")
                .doesNotContain("note:");
    }
}
