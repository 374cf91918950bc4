package dev.perch.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernel files that inherit, and files that are wrong. */
class KernelFileTest {
    @TempDir
    Path home;

    @BeforeEach
    void copyTheOldest() throws IOException {
        Files.createDirectory(home.resolve("kernels"));
        Files.copy(TestKernels.HOME.resolve("kernels/v2.6.39.yaml"), home.resolve("kernels/v2.6.39.yaml"));
    }

    private void write(String name, String... lines) throws IOException {
        Files.writeString(home.resolve("kernels/" + name), String.join("\n", lines) + "\n");
    }

    @Test
    void aFileChangesWhatItsBaseSays() throws IOException {
        write(
                "v3.0.yaml",
                "version: v3.0",
                "title: a test",
                "source: none",
                "base: v2.6.39",
                "rules: {idle-search: mikie}",
                "features: {HRTICK: true}",
                "features-removed: [DOUBLE_TICK]",
                "tunables:",
                "  sched_latency_ns: {value: 5000000, min: 1, max: 9000000}");
        Kernel kernel = Kernels.resolve("v3.0,NO_HRTICK", home);
        assertThat(kernel.rules().idleSearch()).isEqualTo("mikie");
        assertThat(kernel.rules().caller()).isEqualTo("3.2");
        assertThat(kernel.features()).containsEntry("HRTICK", false).doesNotContainKey("DOUBLE_TICK");
        assertThat(kernel.tunables()).containsEntry("sched_latency_ns", 5_000_000L);
        assertThat(kernel.notes()).isEmpty();
        assertThat(Kernels.list(home)).extracting(KernelDescription::name).containsExactly("v2.6.39", "v3.0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "rules: {idle-search: dreamy} | there are no idle-search rules 'dreamy' (%s:5); known are virgin, idle-core, "
                        + "3.2, mikie, mikie2, 3.3, buddies, 3.9, 4.9, 4.11, 4.13, 4.16, 4.18, 5.4, 5.6, 5.7, … (29 in all)",
                "rules: {idle-serch: mikie} | unknown key 'idle-serch' in rules (%s:5); did you mean 'idle-search'?",
                "feature: {HRTICK: true} | unknown key 'feature' (%s:5); did you mean 'features'?",
                "features: {HRTICK: maybe} | features.HRTICK must be true or false, not 'maybe' (%s:5)",
                "features: {NO_HRTICK: true} | 'NO_HRTICK' cannot be a feature's name (%s:5); write capitals, without NO_, as in TTWU_QUEUE",
                "features-removed: [HRTIK] | feature 'HRTIK' is not there to be removed (%s:5); did you mean 'HRTICK'?",
                "tunables: {x: {value: 5, min: 6, max: 7}} | tunables.x.value is 5, but must be at least 6 (%s:5)",
                "tunables: {X: {value: 5, min: 1, max: 7}} | 'X' cannot be written in a kernel expression (%s:5); use small letters, "
                        + "digits, '-' and '_', beginning with a letter",
                "patches: {p: {source: s}} | missing key 'title' in patches.p (%s:5)"
            })
    void aWrongPartIsNamedWithItsLine(String part, String message) throws IOException {
        write("v3.0.yaml", "version: v3.0", "title: a test", "source: none", "base: v2.6.39", part);
        assertThatThrownBy(() -> Kernels.list(home))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        message.replace("%s", home.resolve("kernels/v3.0.yaml").toString()));
    }

    @Test
    void aFileIsNamedAfterItsVersion() throws IOException {
        write("v3.0.yaml", "version: v3.1", "title: a test", "source: none", "base: v2.6.39");
        assertThatThrownBy(() -> Kernels.list(home))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("the file of version v3.1 must be named v3.1.yaml");
    }

    @Test
    void aBaseIsAnOlderVersionWithAFile() throws IOException {
        write("v3.0.yaml", "version: v3.0", "title: a test", "source: none", "base: v3.0");
        assertThatThrownBy(() -> Kernels.list(home))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("base v3.0 is not an older version with a file of its own")
                .hasMessageContaining("v3.0.yaml:4");
    }

    @Test
    void withoutBaseEveryKindOfRulesIsNamed() throws IOException {
        write("v3.0.yaml", "version: v3.0", "title: a test", "source: none", "rules: {caller: \"3.2\"}");
        assertThatThrownBy(() -> Kernels.list(home))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("no wake-wide rules");
    }
}
