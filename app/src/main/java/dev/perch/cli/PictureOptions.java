package dev.perch.cli;

import dev.perch.model.InputException;
import dev.perch.report.ChartKind;
import dev.perch.report.PictureFile;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that ask for pictures of what a verb found. */
final class PictureOptions {
    @Option(
            names = "--report",
            paramLabel = "FILE.html",
            description =
                    "Also write a page with tables and charts: one file that needs nothing else (docs/report.md).")
    private @Nullable String report;

    @Option(names = "--plot", paramLabel = "FILE.svg|FILE.png", description = "Also write one chart.")
    private @Nullable String plot;

    @Option(
            names = "--chart",
            paramLabel = "NAME",
            description =
                    "Which: of a run intervals (unless you say), predictions, latency, wake-matrix, timeline; of an"
                            + " audit verdicts (unless you say), latency, wake-matrix, pairs, timeline; of a comparison ratios (unless"
                            + " you say), intervals.")
    private String chart = "";

    /**
     * What is to be written.
     *
     * @param page the page, or null
     * @param picture the single chart, or null
     */
    record Wanted(@Nullable PictureFile page, @Nullable PictureFile picture, ChartKind chart) {
        boolean isNothing() {
            return page == null && picture == null;
        }

        /** Whether events must be watched, not only results. */
        boolean needsEvents() {
            return page != null || picture != null && chart.needsEvents();
        }
    }

    /**
     * Checks the options.
     *
     * @throws InputException a file that cannot be written, a chart that there is not
     */
    Wanted wanted(List<ChartKind> possible) {
        if (plot == null && !chart.isEmpty()) {
            throw new InputException("--chart says which chart --plot writes; add --plot FILE.svg");
        }
        return new Wanted(
                report == null ? null : new PictureFile("--report", report, ".html", ".htm"),
                plot == null ? null : new PictureFile("--plot", plot, ".svg", ".png"),
                ChartKind.parse(chart, possible));
    }
}
