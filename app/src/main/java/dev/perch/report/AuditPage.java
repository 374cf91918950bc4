package dev.perch.report;

import dev.perch.audit.Answer;
import dev.perch.audit.AuditHints;
import dev.perch.audit.AuditResult;
import dev.perch.audit.AuditText;
import dev.perch.audit.Certainty;
import dev.perch.audit.EventCounts;
import dev.perch.audit.UnknownReason;
import dev.perch.audit.WakeupTotals;
import dev.perch.report.chart.Figure;
import dev.perch.report.chart.Numbers;
import dev.perch.report.observe.Observation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page of {@code perch audit --report}. */
public final class AuditPage {
    private final AuditResult result;
    private final AuditFigures figures;
    private final HtmlPage page;

    private AuditPage(Observation observation, String recording) {
        result = observation.audit();
        figures = new AuditFigures(observation);
        page = new HtmlPage("Audit of " + recording);
    }

    /**
     * The page: equal recordings give equal bytes.
     *
     * @param recording what it is called
     * @param defects what is wrong with it, in words
     * @param version of Perch, such as {@code perch 0.1.0}
     */
    public static String html(Observation observation, String recording, List<String> defects, String version) {
        AuditPage page = new AuditPage(observation, recording);
        page.write(defects);
        return page.page.finish("Audit of a recording", "Made by " + version + ".");
    }

    private void write(List<String> defects) {
        page.section("summary", "Summary");
        page.lead(AuditText.sentence(result));
        page.facts(facts());
        section("verdicts", "Verdicts", figures.verdicts());
        section("latency", "Latency", figures.latencies());
        section("wake-matrix", "From which CPU to which", figures.wakeMatrices());
        section("pairs", "Who wakes whom", figures.pairs());
        section("timeline", "A representative millisecond", figures.timelines());
        page.section("unknown", "What the recording does not tell");
        page.list(unknown(defects));
    }

    private void section(String id, String heading, List<Figure> charts) {
        if (!charts.isEmpty()) {
            page.section(id, heading);
            page.figures(charts);
        }
    }

    private Map<String, String> facts() {
        EventCounts counts = result.counts();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("time", Numbers.time(result.system().durationNs()));
        String machine = result.options().machineName();
        facts.put("CPUs", Numbers.count(result.cpuCount()) + (machine.isEmpty() ? "" : " (" + machine + ")"));
        facts.put(
                "wakeups",
                Numbers.count(result.wakeups().count()) + ", "
                        + Numbers.count(result.wakeups().placed()) + " of them placed");
        facts.put("switches", Numbers.count(counts.switches()));
        facts.put("migrations", Numbers.count(counts.migrate()));
        facts.put(
                "idle while queued",
                Numbers.percent((double) result.system().idleWhileQueuedNs()
                                / Math.max(1, result.system().durationNs()))
                        + " of the time a CPU was idle while a task waited behind another");
        if (!result.options().comm().isEmpty() || result.options().pid() >= 0) {
            facts.put(
                    "only",
                    "wakeups of or by "
                            + (result.options().comm().isEmpty()
                                    ? "task " + result.options().pid()
                                    : "tasks called " + result.options().comm())
                            + "; the timeline shows all");
        }
        return facts;
    }

    private List<String> unknown(List<String> defects) {
        WakeupTotals wakeups = result.wakeups();
        List<String> items = new ArrayList<>(AuditHints.of(result));
        for (UnknownReason reason : UnknownReason.values()) {
            if (reason != UnknownReason.NONE && wakeups.of(reason) > 0) {
                items.add(Numbers.count(wakeups.of(reason), "wakeup is", "wakeups are") + " not judged: "
                        + reason.text());
            }
        }
        items.add("chosen CPU: " + Numbers.count(wakeups.of(Certainty.EXACT)) + " exact, "
                + Numbers.count(wakeups.of(Certainty.DERIVED)) + " derived, "
                + Numbers.count(wakeups.of(Certainty.UNKNOWN)) + " unknown");
        items.add("affinity: taken to be all CPUs for "
                + Numbers.count(wakeups.assumedAffinity(), "placed wakeup", "placed wakeups")
                + ", since nothing tells");
        if (!result.counts().hasIpis()) {
            items.add("interrupts between CPUs were not recorded");
        } else if (wakeups.of(Answer.UNKNOWN) > 0) {
            items.add("whether an interrupt was sent is not known for "
                    + Numbers.count(wakeups.of(Answer.UNKNOWN), "wakeup", "wakeups"));
        }
        items.add("waits cut off: " + Numbers.count(result.system().waitsCutAtStart()) + " at the start, "
                + Numbers.count(result.waitsCutAtEnd()) + " at the end of the recording");
        if (result.counts().lost() > 0) {
            items.add(Numbers.count(result.counts().lost(), "event was", "events were") + " lost");
        }
        if (result.counts().gaps() > 0) {
            items.add(Numbers.count(result.counts().gaps(), "switch is", "switches are")
                    + " missing although nothing says that events were lost");
        }
        items.addAll(defects);
        return items;
    }
}
