package dev.perch.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.perch.lab.ExperimentResult;
import dev.perch.lab.RandomSeeds;
import dev.perch.lab.results.ResultSet;
import dev.perch.lab.results.Series;
import dev.perch.model.InputException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes into the store comes out again, under a name that can be abbreviated, and nothing half done is ever seen. */
class StoreTest {
    @TempDir
    private Path folder;

    private final AtomicLong milliseconds =
            new AtomicLong(Instant.parse("2026-12-01T01:15:08.867Z").toEpochMilli());

    /** A store whose clock goes on by a second at every look. */
    private Store store() {
        InstantSource source = () -> Instant.ofEpochMilli(milliseconds.getAndAdd(1000));
        return new Store(folder.resolve("runs"), source.withZone(ZoneOffset.UTC));
    }

    private static String put(Store store, ExperimentResult result) {
        try (NewRun run = store.begin()) {
            return store.put(run, result, "1.2.3");
        }
    }

    @Test
    void readsBackWhatWasStored() {
        ExperimentResult result = Results.of(3);
        Store store = store();
        String id = put(store, result);
        StoredRun run = store.run(id);
        assertThat(run.perch()).isEqualTo("1.2.3");
        assertThat(run.complete()).isTrue();
        assertThat(run.experiment()).isEqualTo("by-hand");
        assertThat(run.seed()).isEqualTo(7);
        assertThat(run.machines()).containsKey("e5620");
        assertThat(run.kernels().keySet()).containsExactly("v3.2", "v3.9");
        assertThat(run.rows()).hasSize(2);
        StoredRow row = run.rows().get(1);
        assertThat(row.kernel()).isEqualTo("v3.9");
        assertThat(row.workload()).isEqualTo("pipe");
        assertThat(row.settings()).containsEntry("governor", "performance");
        assertThat(row.cpuset()).isEqualTo("1-3");
        assertThat(row.repeats()).containsExactly(0, 1, 2);
        Series metric = row.series().getFirst();
        assertThat(metric.metric().unit()).isEqualTo("us/op");
        assertThat(metric.repeats()).isEqualTo(result.rows().get(1).values().values());
        assertThat(row.series())
                .anySatisfy(series -> assertThat(series.metric().name()).isEqualTo("bounce rate"));
    }

    @Test
    void givesTheNumbersToComparisons() {
        Store store = store();
        String id = put(store, Results.of(2));
        ResultSet results = store.read("last");
        assertThat(results.name()).isEqualTo(id);
        assertThat(results.series().getFirst().labels().axes())
                .containsEntry("kernel", "v3.2")
                .containsEntry("workload", "pipe");
        assertThat(results.series().stream()
                        .map(series -> series.labels() + series.metric().name()))
                .doesNotHaveDuplicates();
    }

    @Test
    void namesRunsByTheTimeInUtc() {
        // 867 ms are 27 * 32 + 3: the digits of rank 27 and 3 in Crockford's alphabet are v and 3
        assertThat(RunId.of(Instant.parse("2026-12-01T01:15:08.867Z"))).isEqualTo("261201-011508-v3");
        assertThat(RunId.of(Instant.parse("2030-01-02T23:59:59.000Z"))).isEqualTo("300102-235959-00");
        assertThat(RunId.FORM.matcher("300102-235959-zz").matches()).isTrue();
    }

    @Test
    void listsNewestFirstAndFindsByAbbreviationAndPlace() {
        Store store = store();
        String first = put(store, Results.of(1));
        String second = put(store, Results.of(1));
        assertThat(store.ids()).containsExactly(second, first);
        assertThat(store.find("last")).isEqualTo(second);
        assertThat(store.find("@1")).isEqualTo(second);
        assertThat(store.find("@2")).isEqualTo(first);
        assertThat(store.find(first)).isEqualTo(first);
        assertThat(store.find(first.substring(0, 13))).isEqualTo(first);
        assertThat(store.find(second.substring(7))).isEqualTo(second);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "@3      | there is no run @3: only 2 are stored",
                "26      | '26' begins or ends 2 ids",
                "nothing | there is no run 'nothing'",
                "@0      | there is no run '@0'",
            })
    void saysWhyANameStandsForNoRun(String name, String message) {
        Store store = store();
        put(store, Results.of(1));
        put(store, Results.of(1));
        assertThatThrownBy(() -> store.find(name))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }

    @Test
    void anEmptyStoreHasNoRuns() {
        assertThat(store().ids()).isEmpty();
        assertThatThrownBy(() -> store().find("last")).hasMessageContaining("there is no stored run in");
    }

    @Test
    void twoRunsInOneMillisecondGetTwoNames() {
        Instant start = Instant.now();
        List<Instant> times = new ArrayList<>();
        InstantSource slow = () -> {
            times.add(start.plusNanos(100_000L * times.size()));
            return times.getLast();
        };
        Store store = new Store(folder.resolve("runs"), slow.withZone(ZoneOffset.UTC));
        String first = put(store, Results.of(1));
        String second = put(store, Results.of(1));
        assertThat(first).isLessThan(second);
        assertThat(store.ids()).containsExactly(second, first);
    }

    @Test
    void aRunThatIsNotPutLeavesNothing() throws IOException {
        Store store = store();
        try (NewRun run = store.begin()) {
            run.file("run.json").close();
            assertThat(store.ids()).isEmpty();
        }
        try (Stream<Path> left = Files.list(store.folder())) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void cleansUpWhatADeadProcessLeftButNotWhatSomebodyWorksOn() throws IOException {
        Store store = store();
        Path dead = store.folder().resolve(".new-dead");
        Files.createDirectories(dead.resolve("events"));
        Files.writeString(dead.resolve("lock"), "");
        Files.writeString(dead.resolve("events/row-0.txt.gz"), "x");
        Path halfRemoved = Files.createDirectories(store.folder().resolve(".new-261201-011508-v3"));
        try (NewRun run = store.begin()) {
            Leftovers.clean(store.folder());
            assertThat(dead).as("too young to be sure").exists();
            Leftovers.clean(store.folder(), Duration.ofSeconds(-1));
            assertThat(dead).doesNotExist();
            assertThat(halfRemoved).doesNotExist();
            assertThat(store.put(run, Results.of(1), "1")).isEqualTo(store.find("last"));
        }
    }

    @Test
    void removesRuns() throws IOException {
        Store store = store();
        String first = put(store, Results.of(1));
        String second = put(store, Results.of(1));
        store.remove(List.of(first));
        assertThat(store.ids()).containsExactly(second);
        try (Stream<Path> left = Files.list(store.folder())) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    void keepsWhichRepeatsWereFinishedAndTheirSeeds() {
        ExperimentResult result = Results.without(Results.of(3), 1);
        Store store = store();
        StoredRun run = store.run(put(store, result));
        assertThat(run.complete()).isFalse();
        assertThat(run.rows().getFirst().repeats()).containsExactly(0, 2);
        try (Database database = Database.open()) {
            database.addStore(store, store.ids());
            Rows rows = new Rows();
            database.query("SELECT DISTINCT repeat, seed FROM runs WHERE row = 0 ORDER BY repeat", rows);
            assertThat(rows.list())
                    .containsExactly(List.of(0, RandomSeeds.of(7, 0, 0)), List.of(2, RandomSeeds.of(7, 0, 2)));
        }
    }

    /** A run that the first version with a store wrote: whatever formats come, it stays readable. */
    @Test
    void readsFormat1() throws URISyntaxException {
        URL fixture = Objects.requireNonNull(StoreTest.class.getResource("format-1"));
        Store store = new Store(Path.of(fixture.toURI()));
        assertThat(store.ids()).containsExactly("261201-021640-rx");
        StoredRun run = store.run(store.find("last"));
        assertThat(run.perch()).isEqualTo("0.1.0-SNAPSHOT");
        assertThat(run.stored()).isAfter("2026-12-01T02:16:40Z").isBefore("2026-12-01T02:16:41Z");
        assertThat(run.complete()).isTrue();
        assertThat(run.seed()).isEqualTo(11);
        assertThat(run.durationNs()).isEqualTo(50_000_000);
        assertThat(run.warmupNs()).isEqualTo(10_000_000);
        assertThat(run.kernels()).containsOnlyKeys("v3.2", "v3.9");
        assertThat(run.rows()).hasSize(2);
        StoredRow row = run.rows().getFirst();
        assertThat(row.workload()).isEqualTo("schbench");
        assertThat(row.settings()).containsEntry("governor", "performance").containsEntry("hz", "250");
        assertThat(row.repeats()).containsExactly(0, 1);
        assertThat(row.series().getFirst().metric().name()).isEqualTo("time");
        // the values that the run printed when it was made: 44.00 and 43.97 us
        assertThat(row.series().getFirst().repeats()[0]).isCloseTo(44.00, within(0.005));
        assertThat(row.series().getFirst().repeats()[1]).isCloseTo(43.97, within(0.005));
        try (Database database = Database.open()) {
            database.addStore(store, store.ids());
            Rows rows = new Rows();
            database.query(
                    "SELECT run, strftime(stored, '%H:%M:%S'), round(avg(value), 2) FROM runs WHERE metric = 'time' AND "
                            + "kernel = 'v3.2' GROUP BY ALL UNION ALL SELECT run, name, round(avg(p99_ns) / 1000, 2) "
                            + "FROM histograms WHERE kernel = 'v3.2' AND name = 'wakeup latency' GROUP BY ALL",
                    rows);
            assertThat(rows.list())
                    .containsExactly(
                            List.of("261201-021640-rx", "02:16:40", 43.98),
                            List.of("261201-021640-rx", "wakeup latency", 43.98));
        }
    }

    @Test
    void keepsACopyOfTheMachineFile() {
        Store store = store();
        String id = put(store, Results.of(1));
        assertThat(store.path(id).resolve("files/e5620.yaml"))
                .hasSameTextualContentAs(Results.HOME.resolve("machines/e5620.yaml"));
    }

    @Test
    void refusesANewerFormatInOneLineAndReadsTheOthers() throws IOException {
        Store store = store();
        String old = put(store, Results.of(1));
        String id = put(store, Results.of(1));
        Path file = store.path(id).resolve("run.json");
        Files.writeString(file, Files.readString(file).replaceFirst("\"format\" : 1", "\"format\" : 2"));
        assertThatThrownBy(() -> store.run(id))
                .isInstanceOf(InputException.class)
                .hasMessage(file + " has format 2, which a newer Perch wrote; this one reads format 1");
        List<String> refused = new ArrayList<>();
        assertThat(store.readable(refused::add)).containsExactly(old);
        assertThat(refused).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "{\"format\" : 1                    | is damaged",
                "{\"format\" : 1}                   | is damaged",
                "{\"format\" : 1, \"rows\" : 5}     | is damaged",
                "{\"schema\" : 1}                   | does not begin with a format",
                "hello                              | does not begin with a format",
            })
    void saysOfADamagedDescriptionWhereItIs(String content, String message) throws IOException {
        Store store = store();
        String id = put(store, Results.of(1));
        Files.writeString(store.path(id).resolve("run.json"), content);
        assertThatThrownBy(() -> store.run(id))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message)
                .hasMessageContaining(id);
    }

    @Test
    void followsTheXdgSpecification() {
        assertThat(Store.defaultFolder(Map.of("XDG_DATA_HOME", "/data"), "/home/me"))
                .isEqualTo(Path.of("/data/perch/runs"));
        assertThat(Store.defaultFolder(Map.of(), "/home/me")).isEqualTo(Path.of("/home/me/.local/share/perch/runs"));
        assertThat(Store.defaultFolder(Map.of("XDG_DATA_HOME", "not/absolute"), "/home/me"))
                .isEqualTo(Path.of("/home/me/.local/share/perch/runs"));
    }

    @Test
    void saysThatAFolderCannotBeMade() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        Store store = new Store(file.resolve("runs"), Clock.systemUTC());
        assertThatThrownBy(store::begin)
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("the result cannot be stored in " + file + "/runs: ")
                .hasMessageContaining("--no-store");
    }
}
