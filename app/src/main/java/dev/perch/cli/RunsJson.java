package dev.perch.cli;

import dev.perch.lab.results.Series;
import dev.perch.store.StoredRow;
import dev.perch.store.StoredRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Stored runs as JSON. */
final class RunsJson {
    private RunsJson() {}

    /** A stored run with its id. */
    record Entry(String id, StoredRun run) {}

    static String list(Path folder, List<Entry> entries) {
        ObjectNode document = JsonText.document();
        document.put("store", folder.toString());
        ArrayNode runs = document.putArray("runs");
        for (Entry entry : entries) {
            ObjectNode node = runs.addObject();
            head(node, entry.id(), entry.run());
            node.put("rows", entry.run().rows().size());
        }
        return JsonText.write(document);
    }

    static String one(String id, Path folder, StoredRun run) {
        ObjectNode document = JsonText.document();
        head(document, id, run);
        document.put("folder", folder.toString())
                .put("source", run.source())
                .put("durationNs", run.durationNs())
                .put("warmupNs", run.warmupNs());
        ArrayNode rows = document.putArray("rows");
        run.rows().forEach(row -> row(rows.addObject(), row));
        ArrayNode notes = document.putArray("notes");
        run.notes().forEach(notes::add);
        return JsonText.write(document);
    }

    private static void head(ObjectNode node, String id, StoredRun run) {
        node.put("run", id)
                .put("stored", run.stored().toString())
                .put("perch", run.perch())
                .put("complete", run.complete())
                .put("measured", run.measured())
                .put("experiment", run.experiment())
                .put("title", run.title())
                .put("seed", run.seed())
                .put("repeats", run.wantedRepeats())
                .put("finished", run.finished());
        texts(node.putObject("machines"), run.machines());
        texts(node.putObject("kernels"), run.kernels());
    }

    private static void row(ObjectNode node, StoredRow row) {
        node.put("index", row.index())
                .put("label", row.label())
                .put("machine", row.machine())
                .put("kernel", row.kernel())
                .put("workload", row.workload());
        texts(node.putObject("settings"), row.settings());
        node.put("cpuset", row.cpuset()).put("taskset", row.taskset());
        row.published().ifPresent(value -> node.put("published", value).put("role", row.role()));
        ArrayNode repeats = node.putArray("repeats");
        row.repeats().forEach(repeats::add);
        ArrayNode metrics = node.putArray("metrics");
        for (Series series : row.series()) {
            ObjectNode metric = metrics.addObject()
                    .put("name", series.metric().name())
                    .put("unit", series.metric().unit())
                    .put("better", series.metric().better().word());
            ArrayNode values = metric.putArray("values");
            for (double value : series.repeats()) {
                values.add(value);
            }
        }
    }

    private static void texts(ObjectNode node, Map<String, String> texts) {
        texts.forEach(node::put);
    }
}
