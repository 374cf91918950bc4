package dev.perch.host.calibrate;

import dev.perch.host.calibrate.HostReadings.PinnedRow;
import dev.perch.model.Cost;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a message takes longer from another CPU. While it is small, thousandths of the message's work that do not come after the wakeup, where they
 * would run beside the receiver; beyond, ns that the receiver takes longer.
 */
record MessageCrossing(Machine measured, String workload) implements HostNumber {
    private int usualAfter() {
        long before =
                HostNumber.cost(measured, workload, MeasuredWorkloads.MESSAGE).coreNs();
        long after = HostNumber.cost(measured, workload, MeasuredWorkloads.TAIL).coreNs();
        return (int) (before + after == 0 ? 0 : Math.min(MOST_AFTER, after * MILLE / (before + after)));
    }

    @Override
    public String title() {
        return workload + ": crossing";
    }

    @Override
    public boolean isKnown() {
        return HostNumber.has(measured, workload, MeasuredWorkloads.MESSAGE)
                && HostNumber.has(measured, workload, MeasuredWorkloads.TAIL);
    }

    @Override
    public int start() {
        return MOST_AFTER - usualAfter();
    }

    @Override
    public int max() {
        return MILLE + MOST_NS;
    }

    @Override
    public Machine in(Machine machine, int value) {
        int least = MOST_AFTER - usualAfter();
        int after = Math.max(usualAfter(), MOST_AFTER - value);
        int crossing = Math.max(0, value - least);
        int sum = HostNumber.cost(machine, workload, MeasuredWorkloads.MESSAGE).coreNs()
                + HostNumber.cost(machine, workload, MeasuredWorkloads.TAIL).coreNs();
        int tail = (int) ((long) sum * after / MILLE);
        int lines =
                HostNumber.cost(machine, workload, MeasuredWorkloads.CROSSING).lines();
        return machine.with(machine.requireModel()
                .with(workload, MeasuredWorkloads.MESSAGE, Cost.core(sum - tail))
                .with(workload, MeasuredWorkloads.TAIL, Cost.core(tail))
                .with(workload, MeasuredWorkloads.CROSSING, new Cost(crossing, 0, lines)));
    }

    @Override
    public String text(int value) {
        int least = MOST_AFTER - usualAfter();
        return value > least
                ? value - least + " ns"
                : "0 ns, " + Math.max(usualAfter(), MOST_AFTER - value) / 10 + " % after the wakeup";
    }

    @Override
    public Map<String, Origin> origins(PinnedRow row, int value) {
        Map<String, Origin> origins = new LinkedHashMap<>();
        origins.put("workloads." + workload + "." + MeasuredWorkloads.CROSSING, HostNumber.found(row, ""));
        return origins;
    }
}
