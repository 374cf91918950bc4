package dev.perch.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernel expressions against the grammar; {@link EraTableTest} has the tables. */
class KernelsTest {
    @Test
    void aPatchChangesWhatItNames() {
        assertThat(TestKernels.named("v3.2-rc1+suresh").rules().idleSearch()).isEqualTo("3.3");
        assertThat(TestKernels.named("v3.2-rc1+mikie").rules().idleSearch()).isEqualTo("mikie");
        assertThat(TestKernels.named("v3.2-rc1+mikie2").rules().idleSearch()).isEqualTo("mikie2");
        assertThat(TestKernels.named("v3.2-rc1+mikie2").features()).containsEntry("SIBLING_LIMIT_SYNC", false);
        assertThat(TestKernels.named("v3.2").features()).doesNotContainKey("SIBLING_LIMIT_SYNC");
        assertThat(TestKernels.named("v3.4+buddies").rules().idleSearch()).isEqualTo("buddies");
        assertThat(TestKernels.named("v3.8+balance-map").rules().caller()).isEqualTo("balance-map");
        assertThat(TestKernels.named("v3.4+ondemand-performance+throttle-nohz")
                        .rules()
                        .tickStop())
                .isEqualTo("throttled");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v2.6.39", "v3.2-rc1", "v3.9", "v5.12", "v6.1.0", "v6.12", "v6.19"})
    void wakeOnCurrentFitsEveryKernelAndCanBeSwitchedOff(String version) {
        assertThat(TestKernels.named(version).has("WAKE_ON_CURRENT")).isFalse();
        assertThat(TestKernels.named(version + "+wake-on-current").has("WAKE_ON_CURRENT"))
                .isTrue();
        assertThat(TestKernels.named(version + "+wake-on-current,NO_WAKE_ON_CURRENT")
                        .has("WAKE_ON_CURRENT"))
                .isFalse();
        assertThat(TestKernels.named(version + "+wake-on-current").rules())
                .isEqualTo(TestKernels.named(version).rules());
    }

    @Test
    void aKernelWhoseRulesAreNotModelledIsRefusedByTheirName() {
        Kernel kernel = TestKernels.named("v3.9");
        kernel.requireModelled(Set.of(RuleKind.RUNQUEUE, RuleKind.BALANCE));
        Kernel other = TestKernels.named("v6.12");
        assertThat(RuleCatalogue.ids(RuleKind.IDLE_SEARCH))
                .contains(other.rules().idleSearch());
        assertThat(other.isModelled(RuleKind.IDLE_SEARCH)).isTrue();
        for (RuleKind kind : RuleKind.values()) {
            if (!other.isModelled(kind)) {
                assertThatThrownBy(() -> other.requireModelled(Set.of(kind)))
                        .isInstanceOf(InputException.class)
                        .hasMessageContaining("kernel v6.12.117 cannot be simulated yet: its " + kind + " rules '"
                                + other.rules().id(kind) + "'");
            }
        }
    }

    @Test
    void settingsAreAppliedAndNamed() {
        Kernel kernel =
                TestKernels.named("v3.2-rc1+mikie2,SIBLING_LIMIT_SYNC,NO_TTWU_QUEUE,LB_BIAS,sched_migration_cost_ns=0");
        assertThat(kernel.has("SIBLING_LIMIT_SYNC")).isTrue();
        assertThat(kernel.has("TTWU_QUEUE")).isFalse();
        assertThat(kernel.tunables()).containsEntry("sched_migration_cost_ns", 0L);
        assertThat(kernel.patches()).containsExactly("mikie2");
        assertThat(kernel.name())
                .isEqualTo("v3.2-rc1+mikie2,SIBLING_LIMIT_SYNC,NO_TTWU_QUEUE,sched_migration_cost_ns=0");
        assertThat(TestKernels.named(kernel.name()).name()).isEqualTo(kernel.name());
    }

    @Test
    void tunablesThatTheKernelComputesAreLeftOutUnlessSet() {
        assertThat(TestKernels.named("v3.2").tunables())
                .containsEntry("sched_migration_cost_ns", 500_000L)
                .doesNotContainKey("sched_latency_ns");
        assertThat(TestKernels.named("v3.2,sched_latency_ns=6000000").tunables())
                .containsEntry("sched_latency_ns", 6_000_000L);
    }

    @Test
    void aReleaseAndItsPointReleaseZeroAreTheSame() {
        Kernel kernel = TestKernels.named("v3.4.0+buddies");
        assertThat(kernel.name()).isEqualTo("v3.4+buddies");
        assertThat(kernel.notes()).singleElement().asString().contains("assumption");
    }

    @Test
    void aVersionWithoutFileTakesTheOlderOnesRulesAndSaysSo() {
        Kernel kernel = TestKernels.named("v3.3.8");
        assertThat(kernel.version()).isEqualTo(new KernelVersion(3, 3, 0, 0));
        assertThat(kernel.expression()).isEqualTo("v3.3.8");
        assertThat(kernel.notes()).containsExactly("v3.3.8 has no file of its own and takes the rules of v3.3");
        assertThat(TestKernels.named("v3.9.11").notes()).hasSize(1);
        assertThat(TestKernels.named("v3.3").notes()).isEmpty();
    }

    @Test
    void aReconstructionAndASettingWithoutEffectAreNoted() {
        assertThat(TestKernels.named("v3.2-rc1+mikie2,HRTICK").notes())
                .anyMatch(note -> note.contains("mikie2 is a reconstruction"))
                .contains("feature HRTICK is not part of the model; setting it changes nothing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "3.2 | '3.2' is not a kernel version; did you mean 'v3.2'?",
                "v2.6.38 | kernel v2.6.38 is older than the oldest known, v2.6.39",
                "v3.2-rc1+suresch | there is no kernel patch 'suresch'; did you mean 'suresh'?",
                "v3.9+buddies | patch 'buddies' does not fit v3.9; it fits v3.4",
                "v3.2-rc1+suresh+mikie | patches 'suresh' and 'mikie' both change idle-search; apply one of them",
                "v3.2-rc1+mikie+mikie | patches 'mikie' and 'mikie' both change idle-search; apply one of them",
                "v3.2,TTWU_QUEU | kernel v3.2 has no feature 'TTWU_QUEU'; did you mean 'TTWU_QUEUE'?",
                "v3.2,NO_SIBLING_LIMIT_SYNC | kernel v3.2 has no feature 'SIBLING_LIMIT_SYNC'; known are AFFINE_WAKEUPS, ARCH_POWER, "
                        + "CACHE_HOT_BUDDY, DOUBLE_TICK, FORCE_SD_OVERLAP, GENTLE_FAIR_SLEEPERS, HRTICK, LAST_BUDDY, LB_BIAS, NEXT_BUDDY, "
                        + "NONTASK_POWER, OWNER_SPIN, RT_RUNTIME_SHARE, START_DEBIT, TTWU_QUEUE",
                "v3.2,TTWU_QUEUE,NO_TTWU_QUEUE | 'TTWU_QUEUE' is set twice; give it once",
                "v3.2,sched_latency=1 | kernel v3.2 has no tunable 'sched_latency'; did you mean 'sched_latency_ns'?",
                "v3.2,sched_latency_ns=5 | tunable sched_latency_ns cannot be 5; the kernel takes 100000 to 1000000000",
                "v3.2,sched_latency_ns=6ms | tunable sched_latency_ns needs a whole number, not '6ms'",
                "v3.2,sched_latency_ns= | tunable sched_latency_ns needs a whole number, not ''",
                "v3.8+balance-map+balance-map | patches 'balance-map' and 'balance-map' both change caller; apply one of them",
                "v3.12+balance-map | patch 'balance-map' does not fit v3.12; it fits v3.8, v3.9",
                "v3.9+./Missing.java | policy ./Missing.java is not a file that can be read; name a .java file, from where you are",
                "v3.2+./A.java+/B.java | kernel 'v3.2+./A.java+/B.java' names two policies of one's own; give one"
            })
    void whatDoesNotFitIsSaidInOneLine(String expression, String message) {
        assertThatThrownBy(() -> TestKernels.named(expression))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"v3.2,", "v3.2+", "''", "v3.2,,TTWU_QUEUE", "v3.2, TTWU_QUEUE", "+suresh"})
    void emptyPartsAreRefused(String expression) {
        assertThatThrownBy(() -> TestKernels.named(expression))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("has an empty part or blanks");
    }

    @Test
    void aHomeWithoutKernelsIsRefused(@TempDir Path home) throws IOException {
        assertThatThrownBy(() -> Kernels.resolve("v3.2", home))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("cannot be read");
        Files.createDirectory(home.resolve("kernels"));
        assertThatThrownBy(() -> Kernels.resolve("v3.2", home))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("there are no kernel files in");
    }
}
