package dev.perch.report;

import dev.perch.lab.results.Comparison;
import dev.perch.lab.results.Contrast.Verdict;
import dev.perch.lab.results.RatioTable;
import dev.perch.lab.results.ResultSet;
import dev.perch.report.chart.Figure;
import dev.perch.report.chart.Numbers;
import dev.perch.report.chart.RatioRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The page of {@code perch compare --report}. */
public final class ComparisonPage {
    private ComparisonPage() {}

    /**
     * The page: equal comparisons give equal bytes.
     *
     * @param version of Perch, such as {@code perch 0.1.0}
     */
    public static String html(Comparison comparison, RatioTable.Options options, String version) {
        ComparisonFigures figures = new ComparisonFigures(comparison, options);
        List<String> names = comparison.sets().stream().map(ResultSet::name).toList();
        HtmlPage page = new HtmlPage(
                names.size() == 1
                        ? names.getFirst()
                        : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast());
        page.section("summary", "Summary");
        page.lead(answer(figures.rows()));
        page.facts(facts(comparison));
        section(page, "ratios", "Ratios", figures.ratios());
        section(page, "runs", "Runs", figures.intervals());
        List<String> notes = new ArrayList<>();
        if (figures.rows().size() > 4) {
            notes.add("Of many comparisons some will show a difference by chance: with intervals of "
                    + Numbers.wholePercent(options.confidence()) + ", about one in "
                    + Math.round(1 / (1 - options.confidence())) + " where there is none.");
        }
        if (!comparison.alone().isEmpty()) {
            notes.add(Numbers.count(comparison.alone().size(), "row has", "rows have")
                    + " nothing to be compared with, since only one side has them.");
        }
        if (!notes.isEmpty()) {
            page.section("notes", "Notes");
            page.list(notes);
        }
        return page.finish("Comparison", "Made by " + version + ".");
    }

    private static void section(HtmlPage page, String id, String heading, List<Figure> figures) {
        if (!figures.isEmpty()) {
            page.section(id, heading);
            page.figures(figures);
        }
    }

    private static String answer(List<RatioRow> rows) {
        if (rows.isEmpty()) {
            return "There is nothing to compare.";
        }
        Map<Verdict, Long> counts = new LinkedHashMap<>();
        for (Verdict verdict : Verdict.values()) {
            long count = rows.stream()
                    .filter(row -> row.contrast().verdict() == verdict)
                    .count();
            if (count > 0) {
                counts.put(verdict, count);
            }
        }
        return "Of " + Numbers.count(rows.size(), "comparison", "comparisons") + ": "
                + counts.entrySet().stream()
                        .map(entry -> Numbers.count(entry.getValue()) + " "
                                + entry.getKey().words())
                        .collect(Collectors.joining(", "))
                + ".";
    }

    private static Map<String, String> facts(Comparison comparison) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (int column = 0; column < comparison.sets().size(); column++) {
            ResultSet set = comparison.sets().get(column);
            String distinction = comparison.distinction(set).toString();
            String name = column == 0 ? "baseline" : "compared";
            String text =
                    set.name() + (distinction.isEmpty() || distinction.equals(set.name()) ? "" : ", " + distinction);
            facts.merge(name, text, (before, more) -> before + "; " + more);
        }
        if (!comparison.common().axes().isEmpty()) {
            facts.put("in all", comparison.common().toString());
        }
        return facts;
    }
}
