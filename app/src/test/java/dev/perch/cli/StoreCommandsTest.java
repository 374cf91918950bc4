package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.perch.sim.Simulation;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands around the store: run, runs, query, export. */
class StoreCommandsTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));
    private static final Path RECORDED = HOME.resolve("core/src/test/resources/audit");
    private static final Pattern SWITCH = Pattern.compile("sched_switch: .* prev_state=(\\S+) ==>");

    @TempDir
    private Path folder;

    private CommandLineTest.Outcome perch(String... args) {
        return CommandLineTest.perch(folder.resolve("runs"), Simulation::run, args);
    }

    /** Runs two kernels twice, and gives the JSON that was printed. */
    private JsonNode run(String... more) {
        String[] arguments = {
            "run",
            "--workload",
            "schbench",
            "--machine",
            "e5620",
            "--kernel",
            "v3.2",
            "--kernel",
            "v3.9",
            "--repeats",
            "2",
            "--duration",
            "50ms",
            "--warmup",
            "10ms",
            "--json"
        };
        CommandLineTest.Outcome outcome = perch(
                Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new));
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        return outcome.json();
    }

    @Test
    void storesWhatItPrints() {
        JsonNode printed = run();
        assertThat(perch("runs").out())
                .contains("by-hand: schbench on e5620, 2 kernels")
                .doesNotContain("interrupted");
        JsonNode stored = perch("runs", "show", "last", "--json").json();
        for (int row = 0; row < 2; row++) {
            JsonNode metric = stored.get("rows").get(row).get("metrics").get(0);
            assertThat(metric.get("values"))
                    .isEqualTo(printed.get("rows").get(row).get("runs"));
            assertThat(stored.get("rows").get(row).get("kernel").asString())
                    .isEqualTo(printed.get("rows").get(row).get("kernel").asString());
        }
        assertThat(stored.get("schema").asInt()).isEqualTo(1);
        assertThat(stored.get("seed").asLong()).isEqualTo(1);
        assertThat(stored.get("complete").asBoolean()).isTrue();
    }

    @Test
    void answersSqlOverTheStoreAsItWasPrinted() {
        JsonNode printed = run();
        run("--random-seed", "2");
        JsonNode answer = perch(
                        "query",
                        "SELECT row, repeat, value FROM runs WHERE metric = 'time' AND run = (SELECT min(run) FROM runs) "
                                + "ORDER BY row, repeat",
                        "--json")
                .json();
        assertThat(answer.get("columns").values().stream().map(JsonNode::asString))
                .containsExactly("row", "repeat", "value");
        assertThat(answer.get("rows")).hasSize(4);
        for (JsonNode row : answer.get("rows")) {
            assertThat(row.get("value"))
                    .isEqualTo(printed.get("rows")
                            .get(row.get("row").asInt())
                            .get("runs")
                            .get(row.get("repeat").asInt()));
        }
        assertThat(perch("query", "SELECT count(DISTINCT run) AS n FROM histograms", "--csv")
                        .out())
                .isEqualTo("n\n2\n");
        assertThat(perch("query", "SELECT count(DISTINCT seed) AS n FROM instances", "--csv")
                        .out())
                .isEqualTo("n\n8\n");
    }

    @Test
    void histogramsTellThePercentilesThatTheTableShows() {
        JsonNode printed = run();
        JsonNode rows = perch(
                        "query",
                        "SELECT row, avg(p99_ns) / 1000 AS p99 FROM histograms WHERE name = 'wakeup latency' GROUP BY row ORDER BY row",
                        "--json")
                .json()
                .get("rows");
        for (int row = 0; row < 2; row++) {
            // sums of the same numbers in another order
            assertThat(rows.get(row).get("p99").asDouble())
                    .isCloseTo(printed.get("rows").get(row).get("mean").asDouble(), withinPercentage(1e-9));
        }
    }

    @Test
    void anEmptyStoreHasTablesWithoutRows() {
        assertThat(perch("runs").out()).isEqualTo("no stored runs in " + folder.resolve("runs") + "\n");
        assertThat(perch("query", "SELECT count(*) AS n FROM runs", "--csv").out())
                .isEqualTo("n\n0\n");
    }

    @Test
    void storesNothingIfNotAsked() {
        run("--no-store");
        assertThat(folder.resolve("runs")).doesNotExist();
    }

    @Test
    void storesElsewhere() {
        Path elsewhere = folder.resolve("else where");
        run("--store", elsewhere.toString());
        assertThat(folder.resolve("runs")).doesNotExist();
        assertThat(perch("runs", "--store", elsewhere.toString()).out()).contains("by-hand");
        assertThat(perch("query", "SELECT count(*) AS n FROM runs", "--store", elsewhere.toString())
                        .exitCode())
                .isZero();
    }

    @Test
    void filtersAndLimitsTheList() {
        run();
        run();
        run("--kernel", "v3.2-rc1+suresh");
        assertThat(perch("runs", "--kernel", "suresh").out().lines()).hasSize(2);
        assertThat(perch("runs", "--machine", "q6600").out()).startsWith("no stored runs of that kind in ");
        assertThat(perch("runs", "--experiment", "by-hand", "-n", "1").out())
                .endsWith("and 2 older ones; -n 0 shows all\n");
        assertThat(perch("runs", "-n", "0").out().lines()).hasSize(4);
        assertThat(perch("runs", "--json").json().get("runs")).hasSize(3);
    }

    @Test
    void removesByAnyName() {
        run();
        run();
        assertThat(perch("runs", "remove", "last", "@2").out()).hasLineCount(2).startsWith("removed ");
        assertThat(perch("runs", "--json").json().get("runs")).isEmpty();
    }

    @Test
    void keepsEventsAsRecordingsIfAsked() {
        run("--store-events");
        String sql = "SELECT count(*) AS n FROM wakeups WHERE verdict = 'unknown'";
        assertThat(perch("query", "last", sql, "--csv").out())
                .as("the machine is known from the run")
                .isEqualTo("n\n0\n");
        assertThat(perch("query", "last/1", "SELECT count(*) > 0 AS some FROM switches", "--csv")
                        .out())
                .isEqualTo("some\ntrue\n");
        assertThat(perch("query", "last/2", "SELECT 1").err()).contains("holds no events of row 2");
    }

    @Test
    void aRecordingsSwitchesAreThoseThatPerfPrints() throws IOException {
        Map<String, Long> expected = new TreeMap<>();
        try (InputStream in =
                new ZstdInputStream(Files.newInputStream(RECORDED.resolve("host-messaging.script-ns.txt.zst")))) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                Matcher matcher = SWITCH.matcher(line);
                if (matcher.find()) {
                    expected.merge(matcher.group(1).substring(0, 1), 1L, Long::sum);
                }
            });
        }
        assertThat(expected).isNotEmpty();
        JsonNode rows = perch(
                        "query",
                        RECORDED.resolve("host-messaging.perf.data.zst").toString(),
                        "SELECT prev_state, count(*) AS n FROM switches GROUP BY ALL ORDER BY ALL",
                        "--json")
                .json()
                .get("rows");
        Map<String, Long> counted = new TreeMap<>();
        rows.forEach(row ->
                counted.put(row.get("prev_state").asString(), row.get("n").asLong()));
        assertThat(counted).isEqualTo(expected);
    }

    /** Those that were switched in as often as perf counts: it adds a stint at the edge of the recording whose beginning nobody saw. */
    @Test
    void aRecordingsTasksRanAsLongAsPerfSays() throws IOException {
        Pattern line = Pattern.compile("^ +.*\\[(\\d+)(?:/\\d+)?] +-?\\d+ +(\\d+) +([0-9.]+) ");
        Map<Integer, JsonNode> tasks = new TreeMap<>();
        perch(
                        "query",
                        RECORDED.resolve("host-messaging.perf.data.zst").toString(),
                        "SELECT pid, run_ns, switches FROM tasks",
                        "--json")
                .json()
                .get("rows")
                .forEach(row -> tasks.put(row.get("pid").asInt(), row));
        int compared = 0;
        for (String printed : Files.readAllLines(RECORDED.resolve("host-messaging.timehist-summary.txt"))) {
            Matcher perf = line.matcher(printed);
            if (perf.find()) {
                JsonNode task = tasks.getOrDefault(
                        Integer.parseInt(perf.group(1)), JsonMapper.shared().missingNode());
                assertThat(task.isMissingNode()).as(printed).isFalse();
                if (task.get("switches").asInt() == Integer.parseInt(perf.group(2))) {
                    assertThat(task.get("run_ns").asLong() / 1e6)
                            .as(printed)
                            .isCloseTo(Double.parseDouble(perf.group(3)), within(0.001));
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThan(60);
    }

    @Test
    void wakeupsAndPairsAreThoseOfTheAudit() {
        String file = RECORDED.resolve("host-messaging.perf.data.zst").toString();
        JsonNode audit = perch("audit", file, "--json").json();
        JsonNode verdicts = perch(
                        "query",
                        file,
                        "SELECT verdict, count(*) AS n, sum(queueing_ns) AS queueing FROM wakeups GROUP BY verdict",
                        "--json")
                .json()
                .get("rows");
        assertThat(verdicts).isNotEmpty();
        for (JsonNode row : verdicts) {
            assertThat(row.get("n").asLong())
                    .isEqualTo(audit.get("verdicts")
                            .get(row.get("verdict").asString())
                            .asLong());
        }
        long pairs = perch("query", file, "SELECT sum(wakeups)::BIGINT AS n FROM pairs", "--json")
                .json()
                .get("rows")
                .get(0)
                .get("n")
                .asLong();
        assertThat(pairs).isEqualTo(audit.get("wakeups").asLong());
    }

    @Test
    void exportsTablesThatReadBackEqual() throws IOException {
        run();
        Path csv = folder.resolve("out.csv");
        Path parquet = folder.resolve("out.parquet");
        assertThat(perch("export", "last", "-o", csv.toString()).exitCode()).isZero();
        assertThat(perch("export", "last", "-o", parquet.toString()).exitCode()).isZero();
        String all = "(SELECT * FROM runs EXCEPT SELECT * FROM '" + parquet + "') UNION ALL (SELECT * FROM '" + parquet
                + "' EXCEPT SELECT * FROM runs)";
        assertThat(perch("query", all, "--csv").out().lines()).hasSize(1);
        assertThat(perch("query", "SELECT count(*) AS n, sum(value) AS v FROM '" + csv + "'", "--csv")
                        .out())
                .isEqualTo(perch("query", "SELECT count(*) AS n, sum(value) AS v FROM runs", "--csv")
                        .out());
        assertThat(perch("export", "last", "-o", csv.toString(), "--table", "instances")
                        .exitCode())
                .isZero();
        assertThat(Files.readAllLines(csv)).hasSize(5);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(3);
        }
    }

    @Test
    void exportsARecording() throws IOException {
        Path csv = folder.resolve("switches.csv");
        String file = RECORDED.resolve("host-messaging.perf.data.zst").toString();
        assertThat(perch("export", file, "--table", "switches", "-o", csv.toString())
                        .exitCode())
                .isZero();
        assertThat(Files.readAllLines(csv)).hasSize(1184).first().asString().startsWith("time_ns,cpu,prev,");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "query|SELECT foo FROM runs|column 8: Referenced column \"foo\" not found|runs (run, stored, experiment, row,",
                "query|SELCT|column 1: syntax error at or near \"SELCT\"|there are runs, instances, histograms",
                "query|SELECT * FROM rnus|column 15: Table with name rnus does not exist!|runs",
                "query|DROP VIEW runs|the statement gives no table; write a SELECT|",
                "query|SELECT 'ä'::INT, 1|column 11: Could not convert string|",
                "runs show|2612x|there is no run|perch runs lists them",
                "runs remove|@7|there is no run @7: only 1 are stored|",
                "export -o x.csv|nothing|there is no run 'nothing'|perch runs lists them",
                "export -o x.xls|last|does not tell a format; end it in .csv or .parquet|",
                "export -o /nowhere/x.csv|last|there is no folder /nowhere|",
                "export -o x.csv --table pair|last|there is no table 'pair' of last; known are|",
                "export -o x.csv --format xls|last|there is no format 'xls'|",
                "run --no-store --store x westmere-one-pair --repeats|1|--no-store contradicts --store|",
            })
    void refusesInOneLine(String command, String last, String message, String also) {
        run();
        String[] words = command.split(" ");
        String[] arguments = Arrays.copyOf(words, words.length + 1);
        arguments[words.length] = last;
        CommandLineTest.Outcome outcome = perch(arguments);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).hasLineCount(1).startsWith("perch: ").contains(message);
        if (also != null) {
            assertThat(outcome.err()).contains(also);
        }
    }

    @Test
    void saysBeforeTheRunThatTheStoreCannotBeWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        CommandLineTest.Outcome outcome = perch(
                "run", "westmere-one-pair", "--store", file.resolve("runs").toString());
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .hasLineCount(1)
                .startsWith("perch: the result cannot be stored in ")
                .contains("--no-store");
    }

    @Test
    void comparesStoredRunsByTheirNames() {
        run();
        run("--random-seed", "2");
        CommandLineTest.Outcome outcome = perch("compare", "@2", "last");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("v3.2", "v3.9");
    }

    @ParameterizedTest
    @CsvSource({"runs", "query", "export"})
    void helpHasExamples(String verb) {
        assertThat(perch(verb, "--help").out()).contains("Examples: perch " + verb);
    }

    @Test
    void leavesOutRunsOfNewerFormatsAndSaysSo() throws IOException {
        run();
        run();
        Path newest = folder.resolve("runs")
                .resolve(perch("runs", "--json")
                        .json()
                        .get("runs")
                        .get(0)
                        .get("run")
                        .asString());
        Path description = newest.resolve("run.json");
        Files.writeString(description, Files.readString(description).replaceFirst("\"format\" : 1", "\"format\" : 9"));
        CommandLineTest.Outcome outcome = perch("query", "SELECT count(DISTINCT run) AS n FROM runs", "--csv");
        assertThat(outcome.out()).isEqualTo("n\n1\n");
        assertThat(outcome.err()).hasLineCount(1).contains("left out", "format 9, which a newer Perch wrote");
        assertThat(perch("runs", "show", "last").exitCode()).isEqualTo(2);
        List<String> listed = perch("runs").out().lines().toList();
        assertThat(listed).hasSize(2);
    }
}
