package dev.perch.lab;

import dev.perch.lab.Experiment.Block;
import dev.perch.lab.Experiment.CalibrationStep;
import dev.perch.lab.Experiment.Choice;
import dev.perch.lab.Experiment.Published;
import dev.perch.lab.Experiment.Reading;
import dev.perch.lab.Experiment.Role;
import dev.perch.lab.statistics.Sample;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import dev.perch.model.Times;
import dev.perch.sim.Settings;
import dev.perch.sim.SettingsText;
import dev.perch.sim.workload.WorkloadExpression;
import dev.perch.sim.workload.WorkloadItem;
import dev.perch.yaml.YamlDocument;
import dev.perch.yaml.YamlList;
import dev.perch.yaml.YamlMap;
import dev.perch.yaml.YamlNode;
import dev.perch.yaml.YamlScalar;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads experiment files; the format is described in docs/experiment-file.md.
 *
 * <p>An axis (machines, kernels, workloads, settings) that stands at the top of the file holds for every block that does not have its own.
 * A file without blocks is one block.
 */
public final class ExperimentFile {
    private static final int MAX_REPEATS = 10_000;

    private final YamlMap root;

    private ExperimentFile(YamlMap root) {
        this.root = root;
    }

    /**
     * @throws InputException a file that is missing or broken, with the line
     */
    public static Experiment read(Path file) {
        return new ExperimentFile(YamlDocument.read(file)).experiment();
    }

    /**
     * @param file what messages call it
     * @throws InputException a text that is no experiment, with the line
     */
    public static Experiment parse(String file, String text) {
        return new ExperimentFile(YamlDocument.parse(file, text)).experiment();
    }

    private Experiment experiment() {
        String name = root.string("name");
        String title = root.string("title");
        String source = root.optionalString("source").orElse("");
        String metric = root.optionalString("metric").orElse("");
        int repeats = root.has("repeats") ? root.integer("repeats", 1, MAX_REPEATS) : Experiment.DEFAULT_REPEATS;
        long duration = root.has("duration") ? time("duration", false) : Experiment.DEFAULT_DURATION_NS;
        long warmup = root.has("warmup") ? time("warmup", true) : Experiment.DEFAULT_WARMUP_NS;
        List<String> notes = root.optionalList("notes").map(YamlList::strings).orElse(List.of());
        List<Block> blocks = new ArrayList<>();
        if (root.has("blocks")) {
            for (YamlMap block : root.list("blocks").maps()) {
                blocks.add(block(block));
                block.refuseOthers();
            }
        } else {
            blocks.add(block(root));
        }
        List<CalibrationStep> steps = new ArrayList<>();
        for (YamlMap step : root.optionalList("calibrate").map(YamlList::maps).orElse(List.of())) {
            steps.add(calibrationStep(step, blocks));
            step.refuseOthers();
        }
        askForAxes(root);
        root.refuseOthers();
        return new Experiment(name, title, source, metric, repeats, duration, warmup, blocks, steps, notes);
    }

    /** An axis at the top that every block overrides is still a known key. */
    private static void askForAxes(YamlMap map) {
        for (String key :
                List.of("machines", "kernels", "workloads", "settings", "set", "cpuset", "taskset", "published")) {
            map.has(key);
        }
    }

    private Block block(YamlMap block) {
        String title = block == root ? "" : block.optionalString("title").orElse("");
        List<Choice> machines = choices(block, "machines", "machine");
        List<Choice> kernels = choices(block, "kernels", "kernel");
        List<Choice> workloads = new ArrayList<>();
        for (Choice workload : choices(block, "workloads", "workload")) {
            try {
                workloads.add(new Choice(workload.label(), besideThisFile(workload.expression())));
            } catch (InputException e) {
                throw holder(block, "workloads").value("workloads").error(e.getMessage());
            }
        }
        List<Reading> readings = readings(block);
        List<Published> published = new ArrayList<>();
        for (YamlMap entry : inherited(block, "published").map(YamlList::maps).orElse(List.of())) {
            published.add(published(entry, machines, kernels, workloads));
            entry.refuseOthers();
        }
        return new Block(
                title,
                machines,
                kernels,
                workloads,
                readings,
                cpus(block, "cpuset"),
                cpus(block, "taskset"),
                published);
    }

    /** A workload expression whose relative paths begin in the folder of this file. */
    private String besideThisFile(String expression) {
        List<WorkloadItem> items = new ArrayList<>();
        for (WorkloadItem item : WorkloadExpression.parse(expression)) {
            items.add(
                    item.isFile()
                            ? new WorkloadItem(besideThisFile(Path.of(item.name())), Map.of(), item.count())
                            : item);
        }
        return items.stream().anyMatch(WorkloadItem::isFile) ? WorkloadExpression.format(items) : expression;
    }

    private String besideThisFile(Path path) {
        Path found = Path.of(root.file()).resolveSibling(path).normalize();
        String name = found.isAbsolute() || found.startsWith("..") ? found.toString() : "./" + found;
        if (name.matches(".*[+*,].*")) {
            throw new InputException("a path of a workload file cannot contain + * or ,: " + name);
        }
        return name;
    }

    /** The map in which a key stands: the block, or else the top of the file. */
    private YamlMap holder(YamlMap block, String key) {
        root.has(key);
        return block.has(key) ? block : root;
    }

    private Optional<YamlList> inherited(YamlMap block, String key) {
        return holder(block, key).optionalList(key);
    }

    /** An axis: names, or maps of {@code name} and {@code expressionKey} where a shorter name than the expression is wanted. */
    private List<Choice> choices(YamlMap block, String key, String expressionKey) {
        YamlList list = holder(block, key).list(key);
        List<Choice> choices = new ArrayList<>();
        Set<String> labels = new LinkedHashSet<>();
        for (YamlNode node : list) {
            Choice choice;
            if (node instanceof YamlMap map) {
                choice = new Choice(map.string("name"), map.string(expressionKey));
                map.refuseOthers();
            } else {
                String expression = node.asScalar().string();
                choice = new Choice(expression, expression);
            }
            if (!labels.add(choice.label())) {
                throw node.error("'" + choice.label() + "' stands twice in " + key, "; give it another name");
            }
            choices.add(choice);
        }
        if (choices.isEmpty()) {
            throw list.error(key + " is empty", "; name at least one");
        }
        return choices;
    }

    private List<Reading> readings(YamlMap block) {
        Settings base = Settings.DEFAULT;
        base = root.has("set") ? changed(base, root.map("set")) : base;
        base = block != root && block.has("set") ? changed(base, block.map("set")) : base;
        List<Reading> readings = new ArrayList<>();
        for (YamlMap entry : inherited(block, "settings").map(YamlList::maps).orElse(List.of())) {
            Settings settings = entry.has("set") ? changed(base, entry.map("set")) : base;
            readings.add(new Reading(
                    entry.string("name"), settings, entry.optionalBool("judged").orElse(true)));
            entry.refuseOthers();
        }
        return readings.isEmpty() ? List.of(new Reading("", base, true)) : readings;
    }

    private static Settings changed(Settings settings, YamlMap set) {
        Settings changed = settings;
        for (Map.Entry<String, YamlNode> entry : set.entries().entrySet()) {
            YamlScalar value = entry.getValue().asScalar();
            try {
                changed = SettingsText.with(changed, entry.getKey(), value.string());
            } catch (InputException e) {
                throw value.error(e.getMessage());
            }
        }
        return changed;
    }

    private CpuMask cpus(YamlMap block, String key) {
        YamlMap map = holder(block, key);
        if (!map.has(key)) {
            return CpuMask.empty();
        }
        CpuMask mask = map.cpuMask(key);
        if (mask.isEmpty()) {
            throw map.value(key).error(key + " is empty", "; name CPUs, as in 1-3,5-7, or leave the key out");
        }
        return mask;
    }

    private Published published(YamlMap entry, List<Choice> machines, List<Choice> kernels, List<Choice> workloads) {
        RowKey row = new RowKey(
                label(entry, "machine", machines),
                label(entry, "kernel", kernels),
                label(entry, "workload", workloads));
        double value = entry.decimal("value");
        if (!(value > 0)) {
            throw entry.value("value").error("a published value must be above 0");
        }
        List<Double> runs = new ArrayList<>();
        entry.optionalList("runs")
                .ifPresent(list -> list.forEach(run -> runs.add(run.asScalar().decimal())));
        checkMean(entry, value, runs);
        Role role = entry.has("role") ? entry.choice("role", Role.class) : null;
        double tolerance = entry.has("tolerance") ? entry.decimal("tolerance") : 0;
        if (tolerance < 0 || tolerance >= 1) {
            throw entry.value("tolerance").error("a tolerance is a fraction from 0 to 1", "; write 0.05 for 5 %");
        }
        if (role == Role.PREDICTION && tolerance == 0) {
            throw entry.error("a prediction needs a tolerance", "; write how far off it may be, as in tolerance: 0.1");
        }
        return new Published(row, value, runs, role, tolerance);
    }

    private static void checkMean(YamlMap entry, double value, List<Double> runs) {
        if (runs.isEmpty()) {
            return;
        }
        double mean = new Sample(runs.stream().mapToDouble(Double::doubleValue).toArray()).mean();
        if (Math.abs(mean - value) > 0.01 * Math.max(1, value * 1e-5)) {
            throw entry.value("value").error("value " + value + " is not the mean of its runs, " + (float) mean);
        }
    }

    private static String label(YamlMap entry, String key, List<Choice> choices) {
        if (!entry.has(key)) {
            return "";
        }
        YamlScalar label = entry.value(key).asScalar();
        List<String> labels = choices.stream().map(Choice::label).toList();
        if (!labels.contains(label.string())) {
            throw label.error(
                    "no " + key + " is called '" + label.string() + "' here", Nearest.hint(label.string(), labels));
        }
        return label.string();
    }

    private CalibrationStep calibrationStep(YamlMap step, List<Block> blocks) {
        Map<String, Integer> shares = new LinkedHashMap<>();
        if (step.has("shares")) {
            for (Map.Entry<String, YamlNode> share :
                    step.map("shares").entries().entrySet()) {
                shares.put(share.getKey(), share.getValue().asScalar().integer(1, 1000));
            }
        } else {
            shares.put(step.string("constant"), 1);
        }
        int scale = 0;
        for (String path : shares.keySet()) {
            int other = constant(step, path).scale();
            if (scale != 0 && scale != other) {
                throw step.error("the constants of one sum have different units");
            }
            scale = other;
        }
        if (shares.isEmpty()) {
            throw step.error("shares is empty", "; name the constants that share the sum");
        }
        double start = step.decimal("start");
        if (!(start >= 0 && start * scale <= Calibration.MAX)) {
            throw step.value("start").error("start must be from 0 to " + Calibration.MAX / scale);
        }
        YamlMap row = step.map("row");
        RowKey key = new RowKey(
                label(row, "machine", all(blocks, Block::machines)),
                label(row, "kernel", all(blocks, Block::kernels)),
                label(row, "workload", all(blocks, Block::workloads)));
        row.refuseOthers();
        return new CalibrationStep(shares, key, (int) StrictMath.rint(start * scale));
    }

    private static CalibrationConstant constant(YamlMap step, String path) {
        try {
            return CalibrationConstant.parse(path);
        } catch (InputException e) {
            throw step.error(e.getMessage());
        }
    }

    private static List<Choice> all(List<Block> blocks, Function<Block, List<Choice>> axis) {
        return blocks.stream().flatMap(block -> axis.apply(block).stream()).toList();
    }

    private long time(String key, boolean zeroAllowed) {
        YamlScalar value = root.value(key).asScalar();
        try {
            return Times.parse(key, value.string(), zeroAllowed);
        } catch (InputException e) {
            throw value.error(e.getMessage());
        }
    }
}
