package dev.perch.report;

import dev.perch.lab.results.Comparison;
import dev.perch.lab.results.RatioTable;
import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import dev.perch.report.chart.Figure;
import dev.perch.report.drawing.Drawing;
import dev.perch.report.observe.Observation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The charts that can be had as a file of their own. Where there are several of a kind, they stand below each other. */
public enum ChartKind {
    INTERVALS,
    PREDICTIONS,
    RATIOS,
    VERDICTS,
    LATENCY,
    WAKE_MATRIX,
    PAIRS,
    TIMELINE;

    /** What an experiment has, the first without being asked. */
    public static final List<ChartKind> OF_EXPERIMENT = List.of(INTERVALS, PREDICTIONS, LATENCY, WAKE_MATRIX, TIMELINE);

    /** What an audit has, the first without being asked. */
    public static final List<ChartKind> OF_AUDIT = List.of(VERDICTS, LATENCY, WAKE_MATRIX, PAIRS, TIMELINE);

    /** What a comparison of results has, the first without being asked. */
    public static final List<ChartKind> OF_COMPARISON = List.of(RATIOS, INTERVALS);

    /** The name on the command line, such as {@code wake-matrix}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The chart of a name.
     *
     * @param name empty for the first of {@code possible}
     * @throws InputException any other name, with the nearest
     */
    public static ChartKind parse(String name, List<ChartKind> possible) {
        if (name.isEmpty()) {
            return possible.getFirst();
        }
        List<String> words = possible.stream().map(ChartKind::word).toList();
        int index = words.indexOf(name);
        if (index < 0) {
            throw new InputException("--chart cannot be '" + name + "'" + Nearest.hint(name, words) + "; there are "
                    + String.join(", ", words));
        }
        return possible.get(index);
    }

    /** Whether it needs events, not only results. */
    public boolean needsEvents() {
        return switch (this) {
            case INTERVALS, PREDICTIONS, RATIOS -> false;
            case VERDICTS, LATENCY, WAKE_MATRIX, PAIRS, TIMELINE -> true;
        };
    }

    /**
     * The chart of an experiment.
     *
     * @throws InputException if there is nothing to draw
     */
    public Drawing of(ExperimentReport report) {
        ExperimentFigures figures = new ExperimentFigures(report);
        List<Figure> charts = switch (this) {
            case INTERVALS -> figures.intervals();
            case PREDICTIONS -> figures.predictions();
            case LATENCY -> figures.latencies();
            case WAKE_MATRIX -> figures.wakeMatrices();
            case TIMELINE -> figures.timelines();
            case VERDICTS, PAIRS, RATIOS -> throw notHere(OF_EXPERIMENT);
        };
        return together(charts, report.name());
    }

    /**
     * The chart of an audit.
     *
     * @param recording what it is called
     * @throws InputException if there is nothing to draw
     */
    public Drawing of(Observation observation, String recording) {
        AuditFigures figures = new AuditFigures(observation);
        List<Figure> charts = switch (this) {
            case VERDICTS -> figures.verdicts();
            case LATENCY -> figures.latencies();
            case WAKE_MATRIX -> figures.wakeMatrices();
            case PAIRS -> figures.pairs();
            case TIMELINE -> figures.timelines();
            case INTERVALS, PREDICTIONS, RATIOS -> throw notHere(OF_AUDIT);
        };
        return together(charts, recording);
    }

    /**
     * The chart of a comparison.
     *
     * @throws InputException if there is nothing to draw
     */
    public Drawing of(Comparison comparison, RatioTable.Options options) {
        ComparisonFigures figures = new ComparisonFigures(comparison, options);
        List<Figure> charts = switch (this) {
            case RATIOS -> figures.ratios();
            case INTERVALS -> figures.intervals();
            case PREDICTIONS, VERDICTS, LATENCY, WAKE_MATRIX, PAIRS, TIMELINE -> throw notHere(OF_COMPARISON);
        };
        return together(charts, "the comparison");
    }

    private IllegalArgumentException notHere(List<ChartKind> possible) {
        return new IllegalArgumentException(word() + " is none of " + Arrays.toString(possible.toArray()));
    }

    private Drawing together(List<Figure> figures, String name) {
        if (figures.isEmpty()) {
            throw new InputException("there is nothing to draw for --chart " + word() + " in " + name
                    + switch (this) {
                        case PREDICTIONS -> ": nothing was published about its rows";
                        case INTERVALS, RATIOS -> ": it has no rows to compare";
                        case VERDICTS, LATENCY, WAKE_MATRIX, PAIRS, TIMELINE -> ": it has no wakeups";
                    });
        }
        return Drawing.stacked(
                name + ": " + word(), figures.stream().map(Figure::drawing).toList());
    }
}
