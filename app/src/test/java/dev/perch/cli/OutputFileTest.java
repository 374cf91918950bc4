package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void thereIsAnOldFile() throws IOException {
        file = Files.writeString(folder.resolve("x.data"), "old");
    }

    @Test
    void takesItsNameWhenItIsComplete() throws IOException, InterruptedException {
        int exitCode = OutputFile.write("-o", file.toString(), unfinished -> {
            Files.writeString(unfinished, "new");
            assertThat(file).hasContent("old");
            return 3;
        });
        assertThat(exitCode).isEqualTo(3);
        assertThat(file).hasContent("new");
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void whatWasThereStaysWhenWritingFails() {
        for (OutputFile.Work work : new OutputFile.Work[] {
            unfinished -> {
                Files.writeString(unfinished, "ne");
                throw new IOException("No space left on device");
            },
            unfinished -> {
                throw new UncheckedIOException(
                        new FileSystemException(unfinished.toString(), null, "No space left on device"));
            }
        }) {
            assertThatThrownBy(() -> OutputFile.write("-o", file.toString(), work))
                    .isInstanceOf(OutputFile.FailedException.class)
                    .hasMessage("cannot write " + file + ": No space left on device");
            assertThat(file).hasContent("old");
            assertThat(folder).isDirectoryNotContaining("glob:**.part");
        }
    }

    @Test
    void refusesWhatIsNoFileBeforeAnythingIsDone() {
        for (String[] row : new String[][] {
            {folder.toString(), "is a folder; name a file"},
            {"/dev/null", "is not a file that can be replaced; name another"},
            {folder.resolve("none/x").toString(), "there is no folder " + folder.resolve("none")},
            {"a\0b", "is not a file name"},
        }) {
            assertThatThrownBy(() -> OutputFile.write("-o", row[0], _ -> {
                        throw new AssertionError("the work was begun");
                    }))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("-o: ")
                    .hasMessageContaining(row[1]);
        }
    }
}
