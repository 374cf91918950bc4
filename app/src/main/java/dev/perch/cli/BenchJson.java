package dev.perch.cli;

import dev.perch.host.HostSystem;
import dev.perch.host.bench.BenchPlan;
import dev.perch.host.bench.BenchResult;
import dev.perch.host.bench.BenchRow;
import dev.perch.lab.results.Labels;
import dev.perch.lab.results.Series;
import dev.perch.lab.statistics.MeanInterval;
import dev.perch.lab.statistics.Sample;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a benchmark measured on the host, as JSON with the keys that results of experiments have; shares are fractions. */
final class BenchJson {
    private static final double CONFIDENCE = 0.95;

    private BenchJson() {}

    static String result(BenchResult result) {
        BenchPlan plan = result.plan();
        HostSystem host = result.host();
        ObjectNode document = JsonText.document();
        document.put("experiment", "bench-" + plan.benchmark().word())
                .put("title", BenchTable.title(plan))
                .put("measured", true)
                .put("complete", result.isComplete())
                .put("repeats", plan.repeats());
        if (!plan.isMessaging()) {
            document.put("durationNs", plan.durationNs()).put("warmupNs", plan.warmupNs());
        }
        document.putArray("machines")
                .addObject()
                .put("name", HostSystem.NAME)
                .put("title", host.title())
                .put("cpus", host.cpus().toString());
        document.putArray("kernels").addObject().put("name", host.kernel());
        ArrayNode rows = document.putArray("rows");
        result.rows().forEach(row -> row(rows.addObject(), row, result));
        ArrayNode notes = document.putArray("notes");
        result.notes().forEach(notes::add);
        return JsonText.write(document);
    }

    private static void row(ObjectNode node, BenchRow row, BenchResult result) {
        Labels labels = result.labels(row);
        node.put("kernel", labels.get(Labels.KERNEL))
                .put("machine", labels.get(Labels.MACHINE))
                .put("workload", labels.get(Labels.WORKLOAD));
        node.putObject("labels")
                .put("kernel", labels.get(Labels.KERNEL))
                .put("machine", labels.get(Labels.MACHINE))
                .put("workload", labels.get(Labels.WORKLOAD))
                .put("setting", labels.get(Labels.SETTING));
        node.put("tasks", result.plan().threads() ? "threads" : "processes");
        if (row.placement().isFree()) {
            node.putNull("pin");
        } else {
            node.put("pin", row.placement().text());
        }
        row.placement().distance().ifPresent(distance -> node.put("distanceClass", distance.word()));
        String unit = result.plan().benchmark().unit();
        Sample values = row.values();
        node.put("metric", unit).put("unit", unit);
        numbers(node.putArray("runs"), values.values());
        node.put("mean", values.mean());
        MeanInterval.of(values, CONFIDENCE)
                .ifPresent(interval -> numbers(node.putArray("interval"), interval.low(), interval.high()));
        node.put("spread", values.spread()).put("switchesPerOperation", row.switchesPerOperation());
        ObjectNode figures = node.putObject("figures");
        List<Series> all = result.series(row);
        for (Series series : all.subList(1, all.size())) {
            numbers(figures.putArray(series.metric().name()), series.repeats());
        }
        node.put("noisy", !row.warning().isEmpty());
    }

    private static void numbers(ArrayNode array, double... values) {
        for (double value : values) {
            array.add(value);
        }
    }
}
