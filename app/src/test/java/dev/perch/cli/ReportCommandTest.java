package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.sim.Simulation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** {@code --report}, {@code --plot} and {@code --chart} of {@code run} and {@code audit}. */
class ReportCommandTest {
    /** Names that are markup, a line break, and bytes that are not UTF-8; task 20 never runs after its last wakeup. */
    private static final String RECORDING = """
            # tracer: nop
            #
                      <idle>-0     [000] d..2.   100.000001: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=<b>&amp; next_pid=10 next_prio=120
                        x\\xff-20    [001] d..2.   100.000002: sched_switch: prev_comm=x\\xff prev_pid=20 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
                     <b>&amp;-10    [000] d..2.   100.000010: sched_waking: comm=x\\xff pid=20 prio=120 target_cpu=001
                     <b>&amp;-10    [000] d..2.   100.000011: sched_wakeup: comm=x\\xff pid=20 prio=120 target_cpu=001
                      <idle>-0     [001] d..2.   100.000015: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=x\\xff next_pid=20 next_prio=120
                        x\\xff-20    [001] d..2.   100.000025: sched_switch: prev_comm=x\\xff prev_pid=20 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
            """;

    private static final String[] RUN = {
        "run", "westmere-one-pair", "--repeats", "2", "--duration", "5ms", "--warmup", "5ms", "--no-store"
    };

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int perch(String... arguments) {
        out.reset();
        err.reset();
        Surroundings surroundings = new Surroundings(
                () -> Path.of(System.getProperty("perch.home")),
                folder.resolve("store"),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                Simulation::run);
        return Main.run(surroundings, arguments);
    }

    private int run(String... more) {
        List<String> arguments = new ArrayList<>(List.of(RUN));
        arguments.addAll(List.of(more));
        return perch(arguments.toArray(String[]::new));
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private String recording() throws IOException {
        Path path = folder.resolve("trace.txt");
        byte[] bytes = RECORDING.replace("\\xff", "\u00ff").getBytes(StandardCharsets.ISO_8859_1);
        Files.write(path, bytes);
        return path.toString();
    }

    private Document parsed(String name) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        return factory.newDocumentBuilder().parse(new ByteArrayInputStream(Files.readAllBytes(folder.resolve(name))));
    }

    private static List<String> texts(Document document, String tag) {
        NodeList nodes = document.getElementsByTagName(tag);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }

    @Test
    void aRunIsPrintedAsEverAndItsPageIsWellFormedAndComplete() throws Exception {
        assertThat(run()).isZero();
        String table = out.toString(StandardCharsets.UTF_8);
        assertThat(run("--report", file("run.html"))).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(table);
        Document page = parsed("run.html");
        assertThat(texts(page, "h2"))
                .containsExactly(
                        "Summary",
                        "Results",
                        "Prediction and publication",
                        "From which CPU to which",
                        "Wakeup latency",
                        "A representative millisecond",
                        "Notes");
        assertThat(texts(page, "figcaption")).hasSize(25).allMatch(sentence -> sentence.length() > 40);
        assertThat(texts(page, "details")).hasSize(25);
        assertThat(texts(page, "script")).isEmpty();
        assertThat(texts(page, "td")).contains("failed", "passed", "not judged");
        assertThat(folder).isDirectoryNotContaining(file -> !file.endsWith("run.html"));
    }

    @Test
    void equalRunsGiveEqualPagesHoweverManyThreadsThereAre() throws Exception {
        assertThat(run("--report", file("a.html"), "--threads", "1")).isZero();
        assertThat(run("--report", file("b.html"), "--threads", "3")).isZero();
        assertThat(folder.resolve("a.html")).hasSameBinaryContentAs(folder.resolve("b.html"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"intervals", "predictions", "latency", "wake-matrix", "timeline"})
    void everyChartOfARunCanStandAlone(String chart) throws Exception {
        assertThat(run("--plot", file("chart.svg"), "--chart", chart)).isZero();
        Document svg = parsed("chart.svg");
        assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(texts(svg, "text")).hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"verdicts", "latency", "wake-matrix", "pairs", "timeline"})
    void everyChartOfAnAuditCanStandAlone(String chart) throws Exception {
        assertThat(perch("audit", recording(), "--machine", "q6600", "--plot", file("chart.svg"), "--chart", chart))
                .isZero();
        assertThat(texts(parsed("chart.svg"), "text")).hasSizeGreaterThan(3);
    }

    @Test
    void aPngIsAnImage() throws Exception {
        assertThat(run("--plot", file("chart.PNG"))).isZero();
        var image = javax.imageio.ImageIO.read(folder.resolve("chart.PNG").toFile());
        assertThat(image.getWidth()).isGreaterThan(1500);
    }

    @Test
    void namesOfTasksAreTextWhateverTheyHold() throws Exception {
        assertThat(perch("audit", recording(), "--machine", "q6600", "--report", file("audit.html")))
                .isZero();
        Document page = parsed("audit.html");
        assertThat(texts(page, "text")).anyMatch(text -> text.contains("<b>&amp; (10) → x\ufffd (20)"));
        assertThat(texts(page, "b")).isEmpty();
        assertThat(texts(page, "h1")).containsExactly("Audit of trace.txt");
    }

    @Test
    void whatTheRecordingDoesNotTellIsSaid() throws Exception {
        assertThat(perch("audit", recording(), "--report", file("audit.html"))).isZero();
        Document page = parsed("audit.html");
        assertThat(texts(page, "h2")).contains("What the recording does not tell");
        assertThat(texts(page, "li"))
                .anyMatch(item -> item.contains("which CPUs share caches"))
                .anyMatch(item -> item.endsWith("the topology is not known"))
                .anyMatch(item -> item.contains("interrupts between CPUs were not recorded"));
    }

    @Test
    void aRecordingWithoutWakeupsHasAPageButNoChartOfThem() throws Exception {
        Path path = folder.resolve("quiet.txt");
        Files.writeString(path, RECORDING.lines().limit(3).reduce("", (a, b) -> a + b + "\n"));
        assertThat(perch("audit", path.toString(), "--report", file("audit.html")))
                .isZero();
        assertThat(texts(parsed("audit.html"), "figure")).isEmpty();
        assertThat(perch("audit", path.toString(), "--plot", file("chart.svg"))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("there is nothing to draw for --chart verdicts");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--report|out.txt|--report cannot be|name a file that ends in .html",
                "--report|none/out.html|there is no folder|make it first",
                "--plot|out.jpg|--plot cannot be|.svg or .png",
                "--plot|.|--plot cannot be|.svg or .png"
            })
    void filesThatCannotBeAreRefusedBeforeAnythingIsRun(String option, String name, String what, String how) {
        assertThat(run(option, file(name))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(what, how).hasLineCount(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void chartsThatThereAreNotAreRefused() {
        assertThat(run("--plot", file("a.svg"), "--chart", "timelin")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("did you mean 'timeline'?");
        assertThat(run("--plot", file("a.svg"), "--chart", "pairs")).isEqualTo(2);
        assertThat(run("--chart", "latency")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("add --plot FILE.svg");
        assertThat(run("--calibrate", "--report", file("a.html"))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--calibrate");
        assertThat(folder).isEmptyDirectory();
    }

    /** Two files with the results of hackbench: 2 s and 1 s, three times each. */
    private String[] results() throws IOException {
        Files.writeString(folder.resolve("before.csv"), "workload,unit,value\nx,s,2.0\nx,s,2.1\nx,s,1.9\n");
        Files.writeString(folder.resolve("after.csv"), "workload,unit,value\nx,s,1.0\nx,s,1.1\nx,s,0.9\n");
        return new String[] {file("before.csv"), file("after.csv")};
    }

    @Test
    void aComparisonHasAPageWithRatiosAndRuns() throws Exception {
        String[] files = results();
        assertThat(perch("compare", files[0], files[1], "--report", file("compared.html")))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        Document page = parsed("compared.html");
        assertThat(texts(page, "h2")).containsExactly("Summary", "Ratios", "Runs");
        assertThat(texts(page, "p")).contains("Of 1\u00a0comparison: 1 better.");
        assertThat(texts(page, "td")).contains("0.500", "better", "2.0000", "1.0000");
        assertThat(texts(page, "figcaption")).hasSize(2);
    }

    @Test
    void aComparisonCanBePlotted() throws Exception {
        String[] files = results();
        assertThat(perch("compare", files[0], files[1], "--plot", file("ratios.svg")))
                .isZero();
        assertThat(texts(parsed("ratios.svg"), "text")).contains("0.500", "better");
        assertThat(perch("compare", files[0], files[1], "--plot", file("runs.svg"), "--chart", "intervals"))
                .isZero();
        assertThat(texts(parsed("runs.svg"), "text")).contains("one run");
        assertThat(perch("compare", recording(), recording(), "--plot", file("x.svg")))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("perch audit --report");
    }
}
