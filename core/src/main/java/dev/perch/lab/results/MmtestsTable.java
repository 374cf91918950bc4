package dev.perch.lab.results;

import dev.perch.lab.statistics.Mmtests;
import dev.perch.lab.statistics.Mmtests.Preferred;
import dev.perch.lab.statistics.Sample;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A comparison in the form of mmtests, one table a metric: values, improvement in percent, and significant differences between asterisks.
 *
 * <p>Source: what mmtests printed on 18 November 2021; spec scheduler.md 10.5.
 *
 * <p>Limitations: metrics that are neither better nor worse are left out; a value that a set does not have is left blank.
 */
public final class MmtestsTable {
    private static final int VALUE_WIDTH = 12;
    private static final int PERCENT_WIDTH = 7;
    private static final int COLUMN_WIDTH = VALUE_WIDTH + 1 + PERCENT_WIDTH + 3;
    private static final int STATISTIC_WIDTH = "BAmean-50".length();
    private static final Pattern RELEASE_CANDIDATE = Pattern.compile("^[^-]*-rc[0-9]+");

    /** Which rows there are. */
    public enum Form {
        /** The means. */
        SHORT,
        /** Also extremes, deviations and means of the best. */
        FULL
    }

    private final Comparison comparison;
    private final Form form;
    private final List<String> lines = new ArrayList<>();

    private MmtestsTable(Comparison comparison, Form form) {
        this.comparison = comparison;
        this.form = form;
    }

    public static List<String> lines(Comparison comparison, Form form) {
        MmtestsTable table = new MmtestsTable(comparison, form);
        table.write();
        return table.lines;
    }

    /** One statistic: a block of rows. */
    private record Statistic(String name, Preferred compared, boolean marked, ToDoubleFunction<Sample> value) {}

    private void write() {
        Map<Metric, List<Comparison.Row>> metrics = new LinkedHashMap<>();
        for (Comparison.Row row : comparison.rows()) {
            boolean hasBaseline = row.cells().getFirst().isPresent();
            if (hasBaseline && row.metric().better() != Direction.NEITHER) {
                metrics.computeIfAbsent(row.metric(), key -> new ArrayList<>()).add(row);
            }
        }
        metrics.forEach((metric, rows) -> {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            if (metrics.size() > 1) {
                lines.add(metric.text());
            }
            add(metric, rows);
        });
    }

    private void add(Metric metric, List<Comparison.Row> rows) {
        Preferred preferred = metric.better() == Direction.HIGHER ? Preferred.HIGHER : Preferred.LOWER;
        List<String> operations = OperationNames.of(rows.stream()
                .map(row -> row.labels().axes().isEmpty() ? comparison.common() : row.labels())
                .toList());
        int width = operations.stream().mapToInt(String::length).max().orElse(0);
        String margin = " ".repeat(STATISTIC_WIDTH + 1 + width);
        List<String[]> names =
                comparison.sets().stream().map(set -> halves(set.name())).toList();
        for (int half = 0; half < 2; half++) {
            StringBuilder header = new StringBuilder(margin);
            for (String[] name : names) {
                header.append(right(name[half], COLUMN_WIDTH));
            }
            if (half == 0 || !header.toString().isBlank()) {
                lines.add(header.toString());
            }
        }
        int decimals = metric.unit().equals("s") || metric.unit().endsWith("/op") ? 4 : 2;
        for (Statistic statistic : statistics(preferred)) {
            for (int row = 0; row < rows.size(); row++) {
                StringBuilder line = new StringBuilder();
                line.append(left(statistic.name(), STATISTIC_WIDTH))
                        .append(' ')
                        .append(left(operations.get(row), width));
                addCells(line, rows.get(row), statistic, preferred, decimals);
                lines.add(line.toString().stripTrailing());
            }
        }
    }

    private List<Statistic> statistics(Preferred preferred) {
        Statistic mean =
                new Statistic(preferred.letter() + "mean", preferred, true, sample -> Mmtests.mean(sample, preferred));
        if (form == Form.SHORT) {
            return List.of(mean);
        }
        List<Statistic> statistics = new ArrayList<>();
        statistics.add(new Statistic("Min", preferred, false, Sample::min));
        statistics.add(mean);
        statistics.add(new Statistic("Stddev", Preferred.LOWER, false, Sample::standardDeviation));
        statistics.add(new Statistic("CoeffVar", Preferred.LOWER, false, Mmtests::coefficientOfVariation));
        statistics.add(new Statistic("Max", preferred, false, Sample::max));
        for (int percent : new int[] {50, 95, 99}) {
            statistics.add(new Statistic(
                    "B" + preferred.letter() + "mean-" + percent,
                    preferred,
                    false,
                    sample -> Mmtests.bestMean(sample, preferred, percent)));
        }
        return statistics;
    }

    private static void addCells(
            StringBuilder line, Comparison.Row row, Statistic statistic, Preferred preferred, int decimals) {
        Sample baseline = new Sample(row.cells().getFirst().orElseThrow().repeats());
        double base = statistic.value().applyAsDouble(baseline);
        for (Optional<Series> cell : row.cells()) {
            if (cell.isEmpty()) {
                line.append(" ".repeat(COLUMN_WIDTH));
                continue;
            }
            Sample sample = new Sample(cell.get().repeats());
            double value = statistic.value().applyAsDouble(sample);
            boolean nothing = Mmtests.missing(base) || Mmtests.missing(value);
            double percent = nothing ? 0 : Mmtests.percentDifference(base, value, statistic.compared());
            boolean mark = statistic.marked() && Mmtests.significant(baseline, sample, preferred);
            line.append(right(fixed(Mmtests.missing(value) ? 0 : value, decimals), VALUE_WIDTH))
                    .append(mark ? " *" : " (")
                    .append(right(fixed(percent, 2), PERCENT_WIDTH))
                    .append(mark ? "%*" : "%)");
        }
    }

    /** As C prints it: rounded from the exact value, which Java's formatter does not do, and with the sign of a number that rounds to 0. */
    private static String fixed(double value, int decimals) {
        BigDecimal rounded = new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN);
        return (value < 0 && rounded.signum() == 0 ? "-" : "") + rounded.toPlainString();
    }

    /** A name over two lines: split at its first hyphen, or after {@code -rcN} there; whole on the first line if it has none. */
    private static String[] halves(String name) {
        Matcher candidate = RELEASE_CANDIDATE.matcher(name);
        int hyphen = candidate.find() ? candidate.end() : name.indexOf('-');
        if (hyphen < 0 || hyphen >= name.length()) {
            return new String[] {cut(name), ""};
        }
        String rest = name.substring(hyphen);
        return new String[] {cut(name.substring(0, hyphen)), cut(rest.startsWith("-") ? rest.substring(1) : rest)};
    }

    private static String cut(String name) {
        return name.length() < COLUMN_WIDTH ? name : name.substring(0, COLUMN_WIDTH - 1);
    }

    private static String left(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    private static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
