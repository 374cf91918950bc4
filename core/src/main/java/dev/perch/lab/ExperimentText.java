package dev.perch.lab;

import dev.perch.lab.Experiment.Block;
import dev.perch.lab.Experiment.CalibrationStep;
import dev.perch.lab.Experiment.Choice;
import dev.perch.lab.Experiment.Published;
import dev.perch.lab.Experiment.Reading;
import dev.perch.model.Times;
import dev.perch.sim.SettingsText;
import java.util.List;
import java.util.Locale;

/** An experiment in words, before it is run. */
public final class ExperimentText {
    private final StringBuilder text = new StringBuilder();

    private ExperimentText() {}

    /** What is run, what was published, what is calibrated; a line break after every line. */
    public static String describe(Experiment experiment) {
        ExperimentText words = new ExperimentText();
        words.add(experiment);
        return words.text.toString();
    }

    private void add(Experiment experiment) {
        line(experiment.name() + ": " + experiment.title());
        if (!experiment.source().isEmpty()) {
            wrapped("source: ", experiment.source());
        }
        line(experiment.repeats() + " runs of " + Times.format(experiment.durationNs()) + " after "
                + Times.format(experiment.warmupNs()) + " of warm-up"
                + (experiment.metric().isEmpty() ? "" : ", in " + experiment.metric()));
        experiment.blocks().forEach(this::add);
        if (!experiment.calibration().isEmpty()) {
            line("");
            line("calibrates (perch run " + experiment.name() + " --calibrate)");
            for (CalibrationStep step : experiment.calibration()) {
                line("  " + String.join(" + ", step.shares().keySet()) + " on " + step.row());
            }
        }
        if (!experiment.notes().isEmpty()) {
            line("");
            experiment.notes().forEach(note -> wrapped("note: ", note));
        }
    }

    private void add(Block block) {
        line("");
        if (!block.title().isEmpty()) {
            line(block.title());
        }
        choices("machine", block.machines());
        choices("kernel", block.kernels());
        choices("workload", block.workloads());
        if (!block.cpuset().isEmpty()) {
            line("  cpuset    " + block.cpuset());
        }
        if (!block.taskset().isEmpty()) {
            line("  taskset   " + block.taskset());
        }
        for (Reading reading : block.readings()) {
            String label = reading.label().isEmpty() ? "" : reading.label() + ": ";
            line("  settings  " + label + SettingsText.describe(reading.settings())
                    + (reading.judged() ? "" : " (shown beside; not judged)"));
        }
        for (Published published : block.published()) {
            line(String.format(
                    Locale.ROOT,
                    "  published %s %s%s",
                    published.row(),
                    Double.toString(published.value()),
                    role(published)));
        }
    }

    private static String role(Published published) {
        Experiment.Role role = published.role();
        if (role == null) {
            return "";
        }
        return switch (role) {
            case CALIBRATION -> ", calibration input";
            case PREDICTION -> String.format(Locale.ROOT, ", prediction within %.0f %%", 100 * published.tolerance());
        };
    }

    private void choices(String axis, List<Choice> choices) {
        for (Choice choice : choices) {
            String name = choice.label().equals(choice.expression()) ? "" : choice.label() + ": ";
            line(String.format(Locale.ROOT, "  %-9s %s%s", axis, name, choice.expression()));
        }
    }

    private void wrapped(String prefix, String paragraph) {
        String before = prefix;
        for (String part : TextTable.wrap(paragraph, TextTable.WIDTH - prefix.length())) {
            line(before + part);
            before = " ".repeat(prefix.length());
        }
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
