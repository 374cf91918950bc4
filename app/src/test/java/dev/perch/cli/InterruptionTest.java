package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perch.child.ChildJvm;
import dev.perch.store.Store;
import dev.perch.store.StoredRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A long run that is interrupted, in a process of its own: by a signal, and by Ctrl-C on a terminal. */
@Tag("slow")
class InterruptionTest {
    private static final int SIGNAL_BASE = 128;
    private static final int INT = 2;

    @TempDir
    private Path folder;

    private String[] arguments() {
        return new String[] {
            "run",
            "--workload",
            "pipe",
            "--machine",
            "e5620",
            "--kernel",
            "v3.2",
            "--repeats",
            "10000",
            "--duration",
            "20ms",
            "--threads",
            "2",
            "--store",
            folder.resolve("runs").toString()
        };
    }

    @ParameterizedTest
    @CsvSource({"INT, 2", "TERM, 15"})
    void keepsTheFinishedRepeats(String signal, int number) throws IOException, InterruptedException {
        assumeTrue(
                number != INT || !isIgnored(number),
                "whoever runs the tests ignores Ctrl-C, as shells do for what they run in the background");
        Process process = ChildJvm.start(Main.class, arguments());
        waitForFolder();
        Thread.sleep(1500);
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(SIGNAL_BASE + number);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(err).matches("stored as [^ ]+, incomplete\n");
        assertThat(out)
                .containsPattern("interrupted: [0-9]+ of 10000 runs are done")
                .contains("median");
        Store store = new Store(folder.resolve("runs"));
        StoredRun run = store.run(store.find("last"));
        assertThat(run.complete()).isFalse();
        assertThat(out).contains("interrupted: " + run.finished() + " of ");
        assertThat(store.ids()).hasSize(1);
    }

    @Test
    void clearsTheProgressLineOnATerminal() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
        assumeTrue(!isIgnored(INT), "whoever runs the tests ignores Ctrl-C");
        String command = String.join(" ", ChildJvm.command(Main.class, arguments()));
        ProcessBuilder builder = new ProcessBuilder("script", "-qec", command, "/dev/null");
        builder.environment().put("TERM", "xterm");
        Process process = builder.redirectErrorStream(true).start();
        StringBuilder seen = new StringBuilder();
        read(process.getInputStream(), seen, " of 10000 runs");
        try (OutputStream keyboard = process.getOutputStream()) {
            keyboard.write(3);
            keyboard.flush();
            read(process.getInputStream(), seen, "incomplete");
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        String afterTheKey = seen.substring(seen.indexOf("^C") < 0 ? 0 : seen.indexOf("^C"));
        assertThat(afterTheKey).contains("\r\033[K").contains("interrupted: ").contains("stored as ");
        assertThat(afterTheKey.substring(afterTheKey.lastIndexOf("\r\033[K")))
                .as("no progress after the line was cleared")
                .doesNotContain(" of 10000 runs \r");
        assertThat(process.exitValue()).isEqualTo(SIGNAL_BASE + INT);
    }

    private void waitForFolder() throws InterruptedException {
        for (int i = 0; i < 300 && !Files.exists(folder.resolve("runs")); i++) {
            Thread.sleep(100);
        }
        assertThat(folder.resolve("runs")).exists();
    }

    /** Reads until a text has been seen. */
    private static void read(InputStream in, StringBuilder seen, String text) throws IOException {
        while (seen.indexOf(text) < 0) {
            int next = in.read();
            assertThat(next).as("the end came before '" + text + "': " + seen).isNotNegative();
            seen.append((char) next);
        }
    }

    private static boolean isIgnored(int signal) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("SigIgn:")) {
                return (Long.parseUnsignedLong(line.substring(7).strip(), 16) >>> signal - 1 & 1) == 1;
            }
        }
        return false;
    }
}
