package dev.perch.cli;

import dev.perch.kernel.Kernel;
import dev.perch.lab.Calibration;
import dev.perch.lab.Experiment;
import dev.perch.lab.Experiment.Published;
import dev.perch.lab.Experiment.Role;
import dev.perch.lab.ExperimentResult;
import dev.perch.lab.ExperimentRow;
import dev.perch.lab.RowResult;
import dev.perch.model.Distance;
import dev.perch.model.Machine;
import dev.perch.sim.SimulationResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Results as JSON. Everything outside of {@code "timing"} is the same for equal runs; shares and errors are fractions, times nanoseconds
 * where the key ends in {@code Ns}.
 */
final class RunJson {
    private RunJson() {}

    static String result(ExperimentResult result) {
        Experiment experiment = result.plan().experiment();
        ObjectNode document = JsonText.document();
        head(document, experiment, result.randomSeed());
        names(document, result);
        ArrayNode rows = document.putArray("rows");
        result.rows().forEach(row -> row(rows.addObject(), row, result));
        ArrayNode notes = document.putArray("notes");
        experiment.notes().forEach(notes::add);
        double seconds = result.wallNs() / 1e9;
        document.putObject("timing")
                .put("events", result.events())
                .put("eventsPerSecond", Math.round(result.events() / seconds))
                .put("simulatedPerRealTime", result.simulatedNs() / 1e9 / seconds)
                .put("wallSeconds", seconds);
        return JsonText.write(document);
    }

    static String calibration(Experiment experiment, long seed, List<Calibration.Found> found) {
        ObjectNode document = JsonText.document();
        head(document, experiment, seed);
        ArrayNode constants = document.putArray("calibration");
        for (Calibration.Found each : found) {
            constants
                    .addObject()
                    .put("machine", each.machine())
                    .put("constant", each.constant().path())
                    .put("value", Double.parseDouble(each.constant().text(each.value())))
                    .put("stored", Double.parseDouble(each.constant().text(each.stored())))
                    .put("row", each.row())
                    .put("published", each.target())
                    .put("reached", each.reached())
                    .put("residual", each.residual());
        }
        return JsonText.write(document);
    }

    private static void head(ObjectNode document, Experiment experiment, long seed) {
        document.put("experiment", experiment.name())
                .put("title", experiment.title())
                .put("source", experiment.source())
                .put("seed", seed)
                .put("repeats", experiment.repeats())
                .put("durationNs", experiment.durationNs())
                .put("warmupNs", experiment.warmupNs());
    }

    /** The machines and kernels as they were resolved, each once. */
    private static void names(ObjectNode document, ExperimentResult result) {
        Map<String, Machine> machines = new LinkedHashMap<>();
        Map<String, Kernel> kernels = new LinkedHashMap<>();
        for (RowResult row : result.rows()) {
            machines.put(row.row().machine().name(), row.row().machine());
            kernels.put(row.row().kernel().expression(), row.row().kernel());
        }
        ArrayNode machineList = document.putArray("machines");
        machines.values()
                .forEach(machine -> machineList
                        .addObject()
                        .put("name", machine.name())
                        .put("title", machine.title())
                        .put("source", machine.source()));
        ArrayNode kernelList = document.putArray("kernels");
        for (Kernel kernel : kernels.values()) {
            ObjectNode node = kernelList.addObject();
            node.put("expression", kernel.expression())
                    .put("name", kernel.name())
                    .put("version", kernel.release());
            ArrayNode notes = node.putArray("notes");
            kernel.notes().forEach(notes::add);
        }
    }

    private static void row(ObjectNode node, RowResult result, ExperimentResult all) {
        ExperimentRow row = result.row();
        node.put("kernel", row.kernel().name())
                .put("machine", row.machine().name())
                .put("workload", row.workloadText());
        node.putObject("labels")
                .put("kernel", row.key().kernel())
                .put("machine", row.key().machine())
                .put("workload", row.key().workload())
                .put("setting", row.reading().label());
        SettingJson.write(
                node.putObject("setting"),
                row.reading().settings(),
                row.block().cpuset(),
                row.block().taskset());
        node.put("metric", result.metric())
                .put("unit", result.metric() + (result.instanceCount() > 1 ? " per instance" : ""));
        numbers(node.putArray("runs"), result.values().values());
        node.put("mean", result.values().mean()).put("ratio", all.ratio(result));
        published(node, result);
        node.put("bounceRate", result.bounceRate());
        ObjectNode distances = node.putObject("distance");
        ObjectNode migrations = node.putObject("migrations");
        for (Distance distance : Distance.all()) {
            distances.put(distance.word(), result.distanceShare(distance));
            migrations.put(distance.word(), result.migrations(distance));
        }
        node.put("balancerMigrations", result.balancerMigrations())
                .put("placedOnBusy", result.busyShare())
                .put("wakeups", result.wakeups())
                .put("events", result.events());
        node.putObject("scans")
                .put("made", result.scans().made())
                .put("nothingIdle", result.scans().nothingIdle())
                .put("overBudget", result.scans().overBudget())
                .put("probes", result.scans().probes());
        ArrayNode instances = node.putArray("instances");
        ArrayNode digests = node.putArray("digests");
        for (SimulationResult run : result.runs()) {
            numbers(instances.addArray(), result.instanceValues(run).values());
            digests.add(Long.toHexString(run.digest()));
        }
        node.put("spread", result.instanceSpread());
        ObjectNode figures = node.putObject("figures");
        result.figures()
                .forEach(figure -> figures.putObject(figure.name())
                        .put("value", figure.value())
                        .put("unit", figure.unit()));
        ObjectNode states = node.putObject("states");
        result.stateShares().forEach(state -> states.put(state.getKey(), state.getValue()));
    }

    private static void published(ObjectNode node, RowResult result) {
        Published published = result.row().published();
        Role role = result.row().role();
        if (published == null) {
            node.putNull("published").putNull("role").putNull("error");
            return;
        }
        node.put("published", published.value());
        if (role == null) {
            node.putNull("role");
        } else {
            node.put("role", role.word());
        }
        node.put("error", result.error());
        if (role == Role.PREDICTION) {
            node.put("tolerance", published.tolerance());
        }
    }

    private static void numbers(ArrayNode array, double[] values) {
        for (double value : values) {
            array.add(value);
        }
    }
}
