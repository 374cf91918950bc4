package dev.perch.host.calibrate;

import dev.perch.host.calibrate.HostReadings.PinnedRow;
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
        return MessageCost.isKnown(measured, workload);
    }

    @Override
    public int start() {
        return MessageCost.of(measured, workload).sum();
    }

    @Override
    public int max() {
        return MOST_NS;
    }

    @Override
    public Machine in(Machine machine, int value) {
        return machine.with(MessageCost.of(machine, workload).ofSum(value).in(machine.requireModel(), workload));
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
