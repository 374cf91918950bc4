package dev.perch.cli;

import dev.perch.lab.ExperimentResult;
import dev.perch.report.ExperimentPage;
import dev.perch.report.ExperimentReport;
import dev.perch.report.RowObserver;
import dev.perch.report.chart.ReportRow.Observed;
import java.util.List;

/** Draws the result of a run, where pictures are wanted. */
final class RunPictures {
    private final Surroundings surroundings;
    private final PictureOptions.Wanted wanted;
    private final int threads;

    /** @param threads how many rows are watched at once */
    RunPictures(Surroundings surroundings, PictureOptions.Wanted wanted, int threads) {
        this.surroundings = surroundings;
        this.wanted = wanted;
        this.threads = threads;
    }

    /** Writes the pictures of a result, of which a part will do. */
    void draw(ExperimentResult result) {
        if (wanted.isNothing()) {
            return;
        }
        ExperimentReport report = ExperimentReport.of(result, wanted.needsEvents() ? observed(result) : List.of());
        if (wanted.page() != null) {
            wanted.page().write(ExperimentPage.html(report, "perch " + PerchCommand.Version.text()));
        }
        if (wanted.picture() != null) {
            wanted.picture().write(wanted.chart().of(report));
        }
    }

    private List<Observed> observed(ExperimentResult result) {
        Progress progress =
                new Progress(surroundings, "rows watched", result.rows().size());
        try {
            return RowObserver.observe(result, threads, progress::show);
        } finally {
            progress.clear();
        }
    }
}
