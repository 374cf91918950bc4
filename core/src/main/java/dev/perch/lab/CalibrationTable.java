package dev.perch.lab;

import dev.perch.model.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a calibration found, as text for people. */
public final class CalibrationTable {
    private CalibrationTable() {}

    /** The lines to print. */
    public static List<String> lines(Experiment experiment, long randomSeed, List<Calibration.Found> found) {
        String metric = experiment.metric();
        List<String> lines = new ArrayList<>();
        lines.add(experiment.name() + ": calibration, " + experiment.repeats() + " runs of "
                + Times.format(experiment.durationNs()) + " after " + Times.format(experiment.warmupNs())
                + " of warm-up, random seed " + randomSeed);
        lines.add("values: " + metric);
        lines.add("");
        TextTable table = new TextTable(
                List.of("constant", "machine", "found", "in file", "row", "published", "reached", "residual"), false);
        int different = 0;
        for (Calibration.Found constant : found) {
            different += constant.value() == constant.stored() ? 0 : 1;
            table.add(List.of(
                    constant.constant().path(),
                    constant.machine(),
                    constant.constant().text(constant.value()),
                    constant.constant().text(constant.stored()),
                    constant.row(),
                    ResultTable.value(constant.target(), metric),
                    ResultTable.value(constant.reached(), metric),
                    String.format(Locale.ROOT, "%+.2f%%", 100 * constant.residual())));
        }
        lines.addAll(table.lines());
        lines.add("");
        lines.add(
                different == 0
                        ? "The machine files hold these values."
                        : different + " of " + found.size()
                                + " constants differ from the machine files; write what was found into them.");
        return lines;
    }
}
