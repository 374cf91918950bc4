package dev.perch.cli;

import dev.perch.host.HostSystem;
import dev.perch.host.bench.BenchPlan;
import dev.perch.host.bench.BenchResult;
import dev.perch.host.bench.BenchRow;
import dev.perch.lab.results.Labels;
import dev.perch.store.StoredRow;
import dev.perch.store.StoredRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** What a benchmark measured on the host, as the store keeps it: like a run of an experiment {@code bench-NAME} on the machine {@code host}. */
final class StoredBench {
    private StoredBench() {}

    static StoredRun of(BenchResult result) {
        BenchPlan plan = result.plan();
        HostSystem host = result.host();
        List<StoredRow> rows = new ArrayList<>();
        for (BenchRow row : result.rows()) {
            rows.add(new StoredRow(
                    plan.placements().indexOf(row.placement()),
                    row.placement().text(),
                    HostSystem.NAME,
                    host.kernel(),
                    result.labels(row).get(Labels.WORKLOAD),
                    Map.of(),
                    "",
                    "",
                    OptionalDouble.empty(),
                    "",
                    0,
                    IntStream.range(0, row.repeats().size()).boxed().toList(),
                    result.series(row)));
        }
        boolean timed = !plan.isMessaging();
        return new StoredRun(
                PerchCommand.Version.text(),
                Instant.now(),
                result.isComplete(),
                true,
                "bench-" + plan.benchmark().word(),
                BenchTable.title(plan),
                "",
                0,
                plan.repeats(),
                timed ? plan.durationNs() : 0,
                timed ? plan.warmupNs() : 0,
                Map.of(HostSystem.NAME, host.title()),
                Map.of(host.kernel(), host.kernel()),
                rows,
                result.notes());
    }
}
