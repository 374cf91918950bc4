package dev.perch.host.calibrate;

import dev.perch.host.calibrate.HostReadings.PinnedRow;
import dev.perch.model.Cost;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.Map;

/** Cache lines that a message fetches from a farther CPU. */
record CrossingLines(Machine measured, String workload) implements HostNumber {
    @Override
    public String title() {
        return workload + ": lines of a crossing";
    }

    @Override
    public boolean isKnown() {
        return HostNumber.has(measured, workload, MeasuredWorkloads.CROSSING);
    }

    @Override
    public int start() {
        return HostNumber.cost(measured, workload, MeasuredWorkloads.CROSSING).lines();
    }

    @Override
    public int max() {
        return 10_000;
    }

    @Override
    public Machine in(Machine machine, int value) {
        Cost before = HostNumber.cost(machine, workload, MeasuredWorkloads.CROSSING);
        return machine.with(machine.requireModel()
                .with(workload, MeasuredWorkloads.CROSSING, new Cost(before.coreNs(), before.wallNs(), value)));
    }

    @Override
    public String text(int value) {
        return value + " lines";
    }

    @Override
    public Map<String, Origin> origins(PinnedRow row, int value) {
        return Map.of("workloads." + workload + "." + MeasuredWorkloads.CROSSING + ".lines", HostNumber.found(row, ""));
    }
}
