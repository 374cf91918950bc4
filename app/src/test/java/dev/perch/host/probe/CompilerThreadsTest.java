package dev.perch.host.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerThreadsTest {
    @TempDir
    private Path tasks;

    private void thread(int id, String name, char state) throws IOException {
        Files.createDirectories(tasks.resolve(Integer.toString(id)));
        Files.writeString(tasks.resolve(id + "/stat"), id + " (" + name + ") " + state + " 1 2 3\n");
    }

    @Test
    void areIdleWhileAllSleepWhateverOthersDo() throws IOException {
        thread(1, "probe", 'R');
        thread(2, "C2 CompilerThre", 'S');
        thread(3, "C1 CompilerThre", 'S');
        assertThat(CompilerThreads.areIdle(tasks)).isTrue();
    }

    @Test
    void areAtWorkWhenOneRunsOrWaitsForACpu() throws IOException {
        thread(2, "C2 CompilerThre", 'S');
        thread(3, "C1 CompilerThre", 'R');
        assertThat(CompilerThreads.areIdle(tasks)).isFalse();
    }

    @Test
    void whereNothingIsToldNoneIsAtWork() {
        assertThat(CompilerThreads.areIdle(tasks.resolve("none"))).isTrue();
    }
}
