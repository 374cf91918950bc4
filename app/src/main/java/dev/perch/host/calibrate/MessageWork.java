package dev.perch.host.calibrate;

import dev.perch.host.calibrate.HostReadings.PinnedRow;
import dev.perch.model.Cost;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a message takes beside the scheduler, ns; how much of it comes after the wakeup stays as it is. */
record MessageWork(Machine measured, String workload) implements HostNumber {
    @Override
    public String title() {
        return workload + ": work of a message";
    }

    @Override
    public boolean isKnown() {
        return HostNumber.has(measured, workload, MeasuredWorkloads.MESSAGE)
                && HostNumber.has(measured, workload, MeasuredWorkloads.TAIL);
    }

    @Override
    public int start() {
        return HostNumber.cost(measured, workload, MeasuredWorkloads.MESSAGE).coreNs()
                + HostNumber.cost(measured, workload, MeasuredWorkloads.TAIL).coreNs();
    }

    @Override
    public int max() {
        return MOST_NS;
    }

    @Override
    public Machine in(Machine machine, int value) {
        long before =
                HostNumber.cost(machine, workload, MeasuredWorkloads.MESSAGE).coreNs();
        long after = HostNumber.cost(machine, workload, MeasuredWorkloads.TAIL).coreNs();
        int tail = (int) (before + after == 0 ? 0 : value * after / (before + after));
        return machine.with(machine.requireModel()
                .with(workload, MeasuredWorkloads.MESSAGE, Cost.core(value - tail))
                .with(workload, MeasuredWorkloads.TAIL, Cost.core(tail)));
    }

    @Override
    public String text(int value) {
        return value + " ns";
    }

    @Override
    public Map<String, Origin> origins(PinnedRow row, int value) {
        Map<String, Origin> origins = new LinkedHashMap<>();
        origins.put("workloads." + workload + "." + MeasuredWorkloads.MESSAGE, HostNumber.found(row, ", with tail"));
        origins.put("workloads." + workload + "." + MeasuredWorkloads.TAIL, HostNumber.found(row, ", with message"));
        return origins;
    }
}
