package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perch.cli.CommandLineTest.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Manual pages and shell completion, as the programs see them that use them. */
class ManualTest {
    @TempDir
    private Path folder;

    private static Outcome ran(List<String> command, Path folder) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        process.getOutputStream().close();
        return new Outcome(process.waitFor(), Files.readString(out), Files.readString(err));
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    @Test
    void everyVerbHasAPageThatNamesAllItsOptions() throws IOException {
        Path pages = folder.resolve("man1");
        assertThat(CommandLineTest.perch("man", "-o", pages.toString()).exitCode()).isZero();
        assertThat(pages).isDirectoryContaining(path -> path.endsWith("perch.1"));
        List<String> verbs = found("(?m)^  ([a-z]+) +\\S", CommandLineTest.perch("--help").out());
        assertThat(verbs).contains("run", "audit", "man");
        for (String verb : verbs) {
            String page = Files.readString(pages.resolve("perch-" + verb + ".1"));
            List<String> options = found("(?m)^ +(?:-\\w, )?(--[a-z-]+)", CommandLineTest.perch(verb, "--help").out());
            assertThat(options).contains("--help");
            assertThat(options).allMatch(option -> page.contains("\\fB" + option.replace("-", "\\-") + "\\fR"));
        }
    }

    private static List<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    void groffHasNoWarningForAnyPage() throws IOException, InterruptedException {
        assumeTrue(isInstalled("groff"), "groff is not installed");
        CommandLineTest.perch("man", "-o", folder.toString());
        try (Stream<Path> pages = Files.list(folder)) {
            for (Path page : pages.toList()) {
                Outcome outcome = ran(List.of("groff", "-K", "utf8", "-man", "-Tutf8", "-ww", "-Wbreak", page.toString()), folder);
                assertThat(outcome.err()).as(page.toString()).isEmpty();
                assertThat(outcome.out()).contains("perch");
            }
        }
    }

    @Test
    void aVerbThatIsNoneHasNoPage() {
        Outcome outcome = CommandLineTest.perch("man", "dance");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).isEqualTo("perch: there is no verb 'dance'; perch --help lists them\n");
    }

    @ParameterizedTest
    @CsvSource({"aud, audit", "audit --pa, --pairs", "explain --wak, --wakeup"})
    void bashCompletes(String typed, String completed) throws IOException, InterruptedException {
        assumeTrue(isInstalled("bash"), "bash is not installed");
        Path script = folder.resolve("perch.bash");
        Files.writeString(script, CommandLineTest.perch("completion").out(), StandardCharsets.UTF_8);
        String ask = "source " + script + "; COMP_WORDS=(perch " + typed + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                + " _complete_perch; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Outcome outcome = ran(List.of("bash", "-c", ask), folder);
        assertThat(outcome.out().lines()).contains(completed);
    }
}
