package dev.perch.host.calibrate;

import dev.perch.host.calibrate.HostReadings.PinnedRow;
import dev.perch.model.Cost;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.Map;

/**
 * What a message takes longer from another CPU. While it is small, thousandths of the message's work that do not come after the wakeup, where they
 * would run beside the receiver; beyond, ns that the receiver takes longer.
 */
record MessageCrossing(Machine measured, String workload) implements HostNumber {
    /** At most so much of a message's work comes after its wakeup, in thousandths. */
    private static final int MOST_AFTER = 900;

    private int usualAfter() {
        return Math.min(MOST_AFTER, MessageCost.of(measured, workload).afterMille());
    }

    /** Below this the value is work that does not come after the wakeup, beyond it ns. */
    private int leastNs() {
        return MOST_AFTER - usualAfter();
    }

    private int after(int value) {
        return Math.max(usualAfter(), MOST_AFTER - value);
    }

    @Override
    public String title() {
        return workload + ": crossing";
    }

    @Override
    public boolean isKnown() {
        return MessageCost.isKnown(measured, workload);
    }

    @Override
    public int start() {
        return leastNs();
    }

    @Override
    public int max() {
        return MILLE + MOST_NS;
    }

    @Override
    public Machine in(Machine machine, int value) {
        int lines =
                HostNumber.cost(machine, workload, MeasuredWorkloads.CROSSING).lines();
        Cost crossing = new Cost(Math.max(0, value - leastNs()), 0, lines);
        return machine.with(MessageCost.of(machine, workload)
                .withAfter(after(value))
                .in(machine.requireModel(), workload)
                .with(workload, MeasuredWorkloads.CROSSING, crossing));
    }

    @Override
    public String text(int value) {
        return value > leastNs() ? value - leastNs() + " ns" : "0 ns, " + after(value) / 10 + " % after the wakeup";
    }

    @Override
    public Map<String, Origin> origins(PinnedRow row, int value) {
        return Map.of("workloads." + workload + "." + MeasuredWorkloads.CROSSING, HostNumber.found(row, ""));
    }
}
