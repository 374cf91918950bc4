package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perch.sim.Simulation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Reports in a real browser: nothing goes wrong, the charts are there, text can be selected, all can be reached by keyboard. */
@Tag("slow")
class ReportBrowserTest {
    private static final int TAB = 9;
    private static final int ENTER = 13;

    @TempDir
    private static Path folder;

    private static Path report = Path.of("");
    private static Path audit = Path.of("");
    private static Browser browser;

    @BeforeAll
    static void begin() throws Exception {
        Optional<Path> program = Browser.find();
        assumeTrue(program.isPresent(), "skipped: there is no Chromium here (apt-get install chromium)");
        report = folder.resolve("run.html");
        audit = folder.resolve("audit.html");
        Path events = folder.resolve("events.txt");
        perch(
                "run",
                "westmere-one-pair",
                "--repeats",
                "3",
                "--duration",
                "30ms",
                "--warmup",
                "20ms",
                "--report",
                report.toString());
        perch(
                "run",
                "--workload",
                "tcp-rr",
                "--machine",
                "e5620",
                "--kernel",
                "v3.2",
                "--repeats",
                "1",
                "--duration",
                "20ms",
                "--events",
                events.toString());
        perch("audit", events.toString(), "--machine", "e5620", "--report", audit.toString());
        browser = new Browser(program.get(), Files.createDirectory(folder.resolve("profile")));
    }

    @AfterAll
    static void end() {
        if (browser != null) {
            browser.close();
        }
    }

    private static void perch(String... arguments) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Surroundings surroundings = new Surroundings(
                () -> Path.of(System.getProperty("perch.home")),
                folder.resolve("store"),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                Simulation::run);
        assertThat(Main.run(surroundings, arguments))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
    }

    private static List<String> strings(JsonNode array) {
        List<String> strings = new ArrayList<>();
        array.forEach(one -> strings.add(one.asString()));
        return strings;
    }

    @Test
    void nothingGoesWrongAndNothingElseIsLoaded() throws Exception {
        for (Path page : List.of(report, audit)) {
            browser.open(page);
            assertThat(browser.events("Runtime.exceptionThrown")).isEmpty();
            assertThat(browser.events("Runtime.consoleAPICalled")).isEmpty();
            assertThat(browser.events("Log.entryAdded")).isEmpty();
            assertThat(browser.events("Network.requestWillBeSent"))
                    .extracting(event -> event.path("request").path("url").asString())
                    .containsExactly(page.toUri().toString());
        }
    }

    @Test
    void theChartsAreThereAndLargeEnoughToBeSeen() throws Exception {
        browser.open(report);
        String titles = "[...document.querySelectorAll('svg[role=img]')]"
                + ".filter(s => s.getBoundingClientRect().width > 300 && s.getBoundingClientRect().height > 90"
                + " && s.querySelectorAll('text').length > 5 && s.querySelectorAll('rect,circle,line').length > 5)"
                + ".map(s => s.querySelector('title').textContent)";
        // Two tables of five rows: intervals and latencies for each table, matrices and timelines for each row.
        assertThat(strings(browser.evaluate(titles)))
                .hasSize(2 + 1 + 10 + 2 + 10)
                .anyMatch(title -> title.startsWith("Runs and intervals"))
                .anyMatch(title -> title.startsWith("Predictions"))
                .anyMatch(title -> title.startsWith("Wake matrix: mikie2 SYNC"))
                .anyMatch(title -> title.startsWith("Wakeup latency"))
                .anyMatch(title -> title.startsWith("Timeline: virgin"));
        browser.open(audit);
        assertThat(strings(browser.evaluate(titles)))
                .extracting(title -> title.replaceFirst(":.*", ""))
                .containsExactly("Verdicts", "Latencies", "Wake matrix", "Pairs of waker and wakee", "Timeline");
    }

    @Test
    void textInChartsCanBeSelected() throws Exception {
        browser.open(report);
        JsonNode place = browser.evaluate("(() => { const t = [...document.querySelectorAll('svg text')]"
                + ".find(t => t.textContent === 'mikie2 SYNC'); t.scrollIntoView({block: 'center'});"
                + " const r = t.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()");
        browser.click(place.get(0).asDouble(), place.get(1).asDouble(), 3);
        assertThat(browser.evaluate("getSelection().toString()").asString()).contains("mikie2 SYNC");
    }

    @Test
    void everythingIsReachedByKeyboard() throws Exception {
        browser.open(report);
        int wanted = browser.evaluate("document.querySelectorAll('a, summary, [tabindex=\"0\"]').length")
                .asInt();
        int hidden = browser.evaluate("document.querySelectorAll('details:not([open]) [tabindex=\"0\"]').length")
                .asInt();
        List<String> reached = new ArrayList<>();
        for (int i = 0; i < wanted - hidden; i++) {
            browser.press("Tab", TAB);
            reached.add(browser.evaluate("(() => { const e = document.activeElement;"
                            + " return e.tagName + ' ' + (e.getAttribute('aria-label') || e.textContent); })()")
                    .asString());
        }
        assertThat(reached).doesNotHaveDuplicates();
        assertThat(reached.getFirst()).isEqualTo("A Skip to the results");
        assertThat(reached)
                .contains("A Prediction and publication")
                .anyMatch(name -> name.startsWith("DIV Chart: Runs and intervals"))
                .anyMatch(name -> name.equals("DIV Table: first reading: ondemand governor; values in transactions/s"))
                .anyMatch(name -> name.startsWith("SUMMARY Data: Timeline"));
        assertThat(reached).noneMatch(name -> name.startsWith("BODY"));
    }

    @Test
    void theSkipLinkAndTheDataOpenWithEnter() throws Exception {
        browser.open(report);
        browser.press("Tab", TAB);
        browser.press("Enter", ENTER);
        assertThat(browser.evaluate("document.activeElement.id").asString()).isEqualTo("main");
        browser.evaluate("document.querySelector('summary').focus()");
        browser.press("Enter", ENTER);
        assertThat(browser.evaluate("document.querySelector('details').open").asBoolean())
                .isTrue();
        assertThat(browser.evaluate("document.querySelector('details table').getBoundingClientRect().height")
                        .asDouble())
                .isGreaterThan(50);
    }

    @Test
    void headingsAreInOrderAndChartsAndLandmarksHaveNames() throws Exception {
        browser.open(report);
        String levels = browser.evaluate(
                        "[...document.querySelectorAll('h1,h2,h3,h4')].map(h => h.tagName.substring(1)).join('')")
                .asString();
        assertThat(levels)
                .startsWith("12")
                .doesNotContain("13")
                .doesNotContain("4")
                .matches("1[^1]*");
        Map<String, List<String>> names = new TreeMap<>();
        for (JsonNode node :
                browser.call("Accessibility.getFullAXTree", Map.of()).path("nodes")) {
            names.computeIfAbsent(node.path("role").path("value").asString(), role -> new ArrayList<>())
                    .add(node.path("name").path("value").asString());
        }
        assertThat(names).containsKeys("main", "navigation", "banner", "contentinfo");
        assertThat(names.get("image")).hasSize(25).doesNotContain("");
        assertThat(names.get("figure")).hasSize(25).doesNotContain("");
        assertThat(browser.evaluate("document.querySelectorAll('table:not(:has(caption)), th:not([scope])').length")
                        .asInt())
                .isZero();
        assertThat(browser.evaluate(
                                "document.querySelectorAll('[id]').length === new Set([...document.querySelectorAll('[id]')]"
                                        + ".map(e => e.id)).size")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void followsTheSchemeOnScreenAndIsLightWithOpenDataOnPaper() throws Exception {
        browser.open(report);
        String ground = "getComputedStyle(document.documentElement).backgroundColor";
        String mark = "getComputedStyle(document.querySelector('svg path')).fill";
        String rows =
                "[...document.querySelectorAll('details tbody tr')].filter(r => r.checkVisibility({contentVisibilityAuto: true})"
                        + " && r.getBoundingClientRect().height > 5).length";
        browser.show("screen", "light");
        assertThat(browser.evaluate(ground).asString()).isEqualTo("rgb(255, 255, 255)");
        assertThat(browser.evaluate(mark).asString()).isEqualTo("rgb(0, 114, 178)");
        browser.show("screen", "dark");
        assertThat(browser.evaluate(ground).asString()).isEqualTo("rgb(21, 24, 28)");
        assertThat(browser.evaluate(mark).asString()).isEqualTo("rgb(86, 180, 233)");
        assertThat(browser.evaluate(rows).asInt()).isZero();
        browser.show("print", "dark");
        assertThat(browser.evaluate(ground).asString()).isEqualTo("rgb(255, 255, 255)");
        assertThat(browser.evaluate(rows).asInt())
                .isEqualTo(browser.evaluate("document.querySelectorAll('details tbody tr').length")
                        .asInt())
                .isGreaterThan(100);
        browser.show("screen", "light");
    }
}
