package dev.perch.lab.elsewhere;

import dev.perch.lab.results.Direction;
import dev.perch.lab.results.Labels;
import dev.perch.lab.results.Metric;
import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * CSV with a line of column names, in two forms (docs/compare.md). Long: a column {@code value} holds the numbers, one a line; {@code metric},
 * {@code unit}, {@code better} and {@code repeat} say what they are. Wide: columns named {@code metric [unit]} or {@code metric [unit, better]} hold
 * numbers, one repeat a line. All other columns are labels.
 *
 * <p>Limitation: a quoted cell cannot hold a line end.
 */
final class CsvResults implements ResultFormat {
    private static final String VALUE = "value";
    private static final String METRIC = "metric";
    private static final String UNIT = "unit";
    private static final String BETTER = "better";
    private static final String REPEAT = "repeat";

    private static final Pattern NUMBERS = Pattern.compile("(.*\\S)\\s*\\[([^\\],]*)(?:,\\s*(\\w+)\\s*)?]");

    @Override
    public boolean recognises(ResultText text) {
        String first = text.lines().getFirst();
        if (!first.contains(",")
                && !first.strip().equals(VALUE)
                && !NUMBERS.matcher(first).matches()) {
            return false;
        }
        List<String> names = split(first, text, 1);
        return names.contains(VALUE)
                || names.stream().anyMatch(name -> NUMBERS.matcher(name).matches());
    }

    @Override
    public List<Measurement> read(ResultText text) {
        List<String> names = split(text.lines().getFirst(), text, 1);
        if (new HashSet<>(names).size() < names.size()) {
            throw new InputException(text.place(1) + ": two columns have the same name");
        }
        if (names.contains("")) {
            throw new InputException(text.place(1) + ": column " + (names.indexOf("") + 1) + " has no name");
        }
        List<Measurement> measurements = new ArrayList<>();
        for (int line = 1; line < text.lines().size(); line++) {
            if (text.lines().get(line).isBlank()) {
                continue;
            }
            List<String> cells = split(text.lines().get(line), text, line + 1);
            if (cells.size() != names.size()) {
                throw new InputException(text.place(line + 1) + ": " + cells.size() + " cells for " + names.size()
                        + " columns; half a table cannot be compared");
            }
            if (names.contains(VALUE)) {
                measurements.add(longRow(text, names, cells, line + 1));
            } else {
                addWideRow(measurements, text, names, cells, line + 1);
            }
        }
        if (measurements.isEmpty()) {
            throw new InputException(text.name() + " has column names but no values");
        }
        return measurements;
    }

    private static Measurement longRow(ResultText text, List<String> names, List<String> cells, int line) {
        Labels labels = Labels.NONE;
        String metric = "";
        String unit = "";
        String better = "";
        double value = 0;
        for (int column = 0; column < names.size(); column++) {
            String cell = cells.get(column);
            switch (names.get(column)) {
                case VALUE -> value = text.number(cell, line);
                case METRIC -> metric = cell;
                case UNIT -> unit = cell;
                case BETTER -> better = cell;
                case REPEAT -> {
                    // their order is that of the lines
                }
                default -> labels = labels.with(names.get(column), cell);
            }
        }
        return new Measurement(labels, metric(text, metric, unit, better, line), value);
    }

    private static void addWideRow(
            List<Measurement> measurements, ResultText text, List<String> names, List<String> cells, int line) {
        Labels labels = Labels.NONE;
        for (int column = 0; column < names.size(); column++) {
            if (!NUMBERS.matcher(names.get(column)).matches()
                    && !names.get(column).equals(REPEAT)) {
                labels = labels.with(names.get(column), cells.get(column));
            }
        }
        for (int column = 0; column < names.size(); column++) {
            Matcher numbers = NUMBERS.matcher(names.get(column));
            if (numbers.matches()) {
                String better = numbers.group(3) == null ? "" : numbers.group(3);
                measurements.add(new Measurement(
                        labels,
                        metric(text, numbers.group(1), numbers.group(2).strip(), better, 1),
                        text.number(cells.get(column), line)));
            }
        }
    }

    private static Metric metric(ResultText text, String name, String unit, String better, int line) {
        Direction direction = better.isEmpty() ? usual(unit) : Direction.parse(better, text.place(line));
        if (direction == null) {
            throw new InputException(text.place(line) + ": is more or less '" + unit
                    + "' better? Say so with a column 'better', or 'metric [" + unit
                    + ", lower]': higher, lower or neither");
        }
        return name.isEmpty()
                ? new Metric(direction == Direction.HIGHER ? "throughput" : "time", unit, direction)
                : new Metric(name, unit, direction);
    }

    /** What everybody takes a unit for: so much a second is better if more, a time if less. */
    private static @Nullable Direction usual(String unit) {
        if (unit.endsWith("/s") || unit.endsWith("/sec")) {
            return Direction.HIGHER;
        }
        return unit.matches("(ns|us|µs|ms|s|sec|seconds)(/\\w+)?") ? Direction.LOWER : null;
    }

    /** The cells of a line; a cell in double quotes may hold commas, and quotes written twice. */
    private static List<String> split(String line, ResultText text, int number) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        int depth = 0;
        for (int i = 0; i < line.length(); i++) {
            char each = line.charAt(i);
            if (quoted) {
                if (each == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                    cell.append('"');
                    i++;
                } else if (each == '"') {
                    quoted = false;
                } else {
                    cell.append(each);
                }
            } else if (each == '"') {
                quoted = true;
            } else if (each == ',' && depth == 0) {
                cells.add(cell.toString().strip());
                cell.setLength(0);
            } else {
                // a comma within [unit, better] is no separator
                depth += each == '[' ? 1 : each == ']' && depth > 0 ? -1 : 0;
                cell.append(each);
            }
        }
        if (quoted) {
            throw new InputException(text.place(number) + ": a quote is opened and not closed");
        }
        cells.add(cell.toString().strip());
        return cells;
    }
}
