package dev.perch.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perch.child.ChildJvm;
import dev.perch.lab.ExperimentResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store among processes that are killed, that work at once, and that find the disk full. */
@Tag("slow")
class StoreProcessesTest {
    private static final int KILLS = 15;
    private static final int RUNS_EACH = 30;
    private static final int TABLES = 3;

    @TempDir
    private Path folder;

    private static final class Child {
        private final Process process;
        private final BufferedReader output;
        private final List<String> ids = new ArrayList<>();

        Child(Path store, int times) throws IOException {
            process = ChildJvm.start(StoringProcess.class, store.toString(), Integer.toString(times));
            output = process.inputReader();
            assertThat(output.readLine()).isEqualTo("ready");
        }

        /** Reads whole lines until the process is gone. */
        void readAll() throws IOException {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (RunId.FORM.matcher(line).matches()) {
                    ids.add(line);
                }
            }
        }
    }

    @Test
    void killedAtAnyMomentAProcessLeavesWholeRunsOnly() throws IOException, InterruptedException {
        Store store = new Store(folder.resolve("runs"));
        SplittableRandom random = new SplittableRandom(1);
        Set<String> told = new HashSet<>();
        for (int i = 0; i < KILLS; i++) {
            Child child = new Child(store.folder(), Integer.MAX_VALUE);
            Thread.sleep(random.nextInt(200));
            assertThat(child.process.toHandle().destroyForcibly()).isTrue();
            child.readAll();
            child.process.waitFor();
            told.addAll(child.ids);
            allAreWhole(store, told);
        }
        assertThat(told).isNotEmpty();
        try (Stream<Path> all = Files.list(store.folder())) {
            assertThat(all.count())
                    .as("some were killed in the middle")
                    .isGreaterThan(store.ids().size());
        }
        Leftovers.clean(store.folder(), Duration.ofSeconds(-1));
        try (Stream<Path> left = Files.list(store.folder())) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(store.ids());
        }
    }

    @Test
    void manyProcessesStoreAtOnceAndLoseNothing() throws IOException, InterruptedException {
        Store store = new Store(folder.resolve("runs"));
        List<Child> children = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            children.add(new Child(store.folder(), RUNS_EACH));
        }
        Set<String> told = new HashSet<>();
        for (Child child : children) {
            child.readAll();
            assertThat(child.process.waitFor()).isZero();
            assertThat(child.ids).hasSize(RUNS_EACH).isSorted();
            told.addAll(child.ids);
        }
        assertThat(told).hasSize(children.size() * RUNS_EACH);
        allAreWhole(store, told);
    }

    /** Every run that a process was told to be stored is there, and every run that is there can be read with all its tables. */
    private static void allAreWhole(Store store, Set<String> told) {
        List<String> ids = store.ids();
        assertThat(ids).containsAll(told);
        for (String id : ids) {
            assertThat(store.run(id).finished()).isEqualTo(4);
        }
        if (ids.isEmpty()) {
            return;
        }
        try (Database database = Database.open()) {
            database.addStore(store, ids);
            Rows rows = new Rows();
            database.query(
                    "SELECT count(DISTINCT run) FROM runs UNION ALL SELECT count(DISTINCT run) FROM instances "
                            + "UNION ALL SELECT count(*) FROM histograms WHERE NULL",
                    rows);
            assertThat(rows.list().getFirst()).containsExactly((long) ids.size());
            assertThat(rows.list()).hasSize(TABLES);
        }
    }

    @Test
    void aFullDiskLosesNothingAndSaysSo() throws IOException, InterruptedException {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(mount(disk), "needs the right to mount a tmpfs");
        try {
            Store store = new Store(disk.resolve("runs"));
            ExperimentResult result = Results.of(2);
            List<String> stored = new ArrayList<>();
            stored.add(put(store, result));
            // The room that is left goes down page by page, so that each write of a run is the one that fails, once.
            Path filler = disk.resolve("filler");
            boolean failed = false;
            for (int pages = 24; pages >= 0; pages--) {
                Files.deleteIfExists(filler);
                Files.write(filler, new byte[Math.max(0, (int) freeBytes(disk) - pages * 4096)]);
                try {
                    stored.add(put(store, result));
                } catch (StoreException e) {
                    failed = true;
                    assertThat(e)
                            .hasMessage("the result cannot be stored in " + store.folder()
                                    + ": No space left on device; make room or name another folder with --store, or"
                                    + " leave it out with --no-store");
                }
                assertThat(store.ids()).containsExactlyInAnyOrderElementsOf(stored);
                try (Stream<Path> left = Files.list(store.folder())) {
                    assertThat(left).as("nothing half done is left").hasSize(stored.size());
                }
            }
            assertThat(failed).isTrue();
            Files.deleteIfExists(filler);
            for (String id : stored) {
                assertThat(store.run(id).complete()).isTrue();
            }
            Files.write(filler, new byte[(int) freeBytes(disk)]);
            assertThatThrownBy(() -> put(store, result)).hasMessageContaining("No space left on device");
        } finally {
            new ProcessBuilder("umount", disk.toString()).start().waitFor();
        }
    }

    private static String put(Store store, ExperimentResult result) {
        try (NewRun run = store.begin()) {
            return store.put(run, result, "test");
        }
    }

    private static long freeBytes(Path disk) throws IOException {
        return Files.getFileStore(disk).getUsableSpace();
    }

    private static boolean mount(Path disk) throws InterruptedException {
        try {
            Process mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=4m", "perch-test", disk.toString())
                    .redirectErrorStream(true)
                    .start();
            mount.getInputStream().readAllBytes();
            return mount.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
