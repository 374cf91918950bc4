package dev.perch.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which version a name stands for. Expected: the grammar of the design, rcN before x.y.0 before x.y.z, and placement.md 0.6. */
class KernelNamesTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "v6.1,v6.1.192",
        "v6.1.0,v6.1.0",
        "v6.1.192,v6.1.192",
        "v6.12,v6.12.117",
        "v6.12.0,v6.12.0",
        "v6.12.117,v6.12.117",
        "v5.12,v5.12.9",
        "v5.12.0,v5.12.0",
        "v3.2-rc1,v3.2-rc1",
        "v3.2,v3.2",
        "v3.2.0,v3.2",
        "v3.6-rc1,v3.6-rc1",
        "v3.6-rc6,v3.6-rc6",
        "v3.6,v3.6",
        "v5.16-rc1,v5.16-rc1",
        "v5.16,v5.16",
        "v2.6.39,v2.6.39"
    })
    void aKnownVersionIsFoundWithoutRemark(String asked, String name) {
        Kernel kernel = TestKernels.named(asked);
        assertThat(kernel.name()).isEqualTo(name);
        assertThat(kernel.release()).isEqualTo(name);
        assertThat(kernel.expression()).isEqualTo(asked);
        assertThat(kernel.notes()).noneMatch(note -> note.contains("takes the rules"));
        assertThat(TestKernels.named(kernel.name()).rules()).isEqualTo(kernel.rules());
    }

    @ParameterizedTest
    @CsvSource({
        "v3.0,v2.6.39",
        "v3.1,v2.6.39",
        "v3.2-rc7,v3.2-rc1",
        "v3.3.8,v3.3",
        "v3.6-rc3,v3.6-rc1",
        "v3.6-rc5,v3.6-rc1",
        "v3.6-rc7,v3.6-rc6",
        "v3.6.5,v3.6",
        "v3.10,v3.9",
        "v4.1,v4.0",
        "v5.12.8,v5.12.0",
        "v5.12.10,v5.12.9",
        "v5.13-rc4,v5.12.0",
        "v5.17,v5.16",
        "v6.1-rc1,v6.0",
        "v6.1.191,v6.1.0",
        "v6.1.200,v6.1.192",
        "v6.3,v6.2",
        "v6.13,v6.12.0",
        "v6.12.116,v6.12.0",
        "v6.19.1,v6.19"
    })
    void aVersionBetweenTakesTheOlderOnesRulesAndSaysSo(String asked, String name) {
        Kernel kernel = TestKernels.named(asked);
        assertThat(kernel.name()).isEqualTo(name);
        assertThat(kernel.notes()).contains(asked + " has no file of its own and takes the rules of " + name);
    }

    @Test
    void patchesAndSettingsStandBehindTheResolvedName() {
        assertThat(TestKernels.named("v6.1+wake-on-current,NO_SIS_UTIL").name())
                .isEqualTo("v6.1.192+wake-on-current,NO_SIS_UTIL");
        assertThat(TestKernels.named("v6.1,NO_SIS_UTIL").release()).isEqualTo("v6.1.192");
        assertThat(TestKernels.named("v6.1+wake-on-current").release()).isEqualTo("v6.1.192");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"6.1.0-56-amd64", "v6.1.0-56-amd64", "5.15.0-91-generic", "v5.14.0-362.el9.x86_64", "6.6-custom"
            })
    void aDistributionsNameIsRefused(String name) {
        assertThatThrownBy(() -> TestKernels.named(name))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(
                        "'" + name + "' is a distribution's kernel, whose name does not tell the point release")
                .hasMessageContaining("--kernel v6.1.192");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "v2.6.38 | kernel v2.6.38 is older than the oldest known, v2.6.39",
                "v6.20   | kernel v6.20 is not modelled yet; newest known v6.19",
                "v7.0-rc1 | kernel v7.0-rc1 is not modelled yet; newest known v6.19",
                "3.2     | '3.2' is not a kernel version; did you mean 'v3.2'?",
                "6.1.192 | '6.1.192' is not a kernel version; did you mean 'v6.1.192'?"
            })
    void whatIsNoKnownVersionIsRefused(String name, String message) {
        assertThatThrownBy(() -> TestKernels.named(name))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @Test
    void aWordThatIsNoVersionIsAnsweredWithThoseKnown() {
        assertThatThrownBy(() -> TestKernels.named("virgin"))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(
                        "'virgin' is not a kernel version; known are v2.6.39, v3.2-rc1, v3.2, v3.3, v3.4, ");
    }

    @Test
    void candidatesComeBeforeTheReleaseAndPointReleasesAfter() {
        NavigableMap<KernelVersion, String> sorted = new TreeMap<>();
        Stream.of("v6.1.3", "v6.1-rc2", "v6.2-rc1", "v6.1.0", "v6.1-rc10", "v6.0.99")
                .forEach(name -> sorted.put(KernelVersion.parse(name), name));
        assertThat(sorted.values()).containsExactly("v6.0.99", "v6.1-rc2", "v6.1-rc10", "v6.1.0", "v6.1.3", "v6.2-rc1");
    }

    @Test
    void aSeriesOfCandidatesOnlyPassesItsNewestOn() {
        NavigableMap<KernelVersion, String> known = new TreeMap<>();
        Stream.of("v3.6-rc1", "v3.6-rc6", "v3.9").forEach(name -> known.put(KernelVersion.parse(name), name));
        KernelNames names = new KernelNames(known);
        assertThat(names.choose("v3.7").version()).isEqualTo(KernelVersion.parse("v3.6-rc6"));
        assertThat(names.choose("v3.6").version()).isEqualTo(KernelVersion.parse("v3.6-rc6"));
    }

    @ParameterizedTest
    @CsvSource({"6.12.30,v6.12.30", "6.13.0-rc4,v6.13.0-rc4", "5.4.0,v5.4.0"})
    void aPlainUpstreamHostTellsItsVersion(String release, String version) throws IOException {
        assertThat(HostKernel.version(Files.writeString(folder.resolve("osrelease"), release + "\n")))
                .isEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1.0-56-amd64", "6.12.30-arch1-1", "5.15.0-91-generic", "6.18", ""})
    void anyOtherHostIsAskedForItsVersion(String release) throws IOException {
        Path file = Files.writeString(folder.resolve("osrelease"), release + "\n");
        assertThatThrownBy(() -> HostKernel.version(file))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(
                        "this host runs '" + release + "', whose name does not tell the upstream point release")
                .hasMessageContaining("--kernel");
        assertThatThrownBy(() -> HostKernel.version(folder.resolve("missing")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("name a version");
    }
}
