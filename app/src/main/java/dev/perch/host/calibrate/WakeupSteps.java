package dev.perch.host.calibrate;

import dev.perch.host.calibrate.HostReadings.PinnedRow;
import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.HardwareModel;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The steps of a wakeup and of blocking, in thousandths of what is assumed of them, from 1000 on; the least is a tenth. Below that, thousandths of the
 * switch between processes: yielding tasks may have shown more than there is time for.
 */
record WakeupSteps(Machine measured) implements HostNumber {
    private static final int LEAST = 100;

    @Override
    public String title() {
        return "steps of a wakeup";
    }

    @Override
    public boolean isKnown() {
        return true;
    }

    @Override
    public int start() {
        return MILLE + MILLE - LEAST;
    }

    @Override
    public int max() {
        return 100 * MILLE;
    }

    private static int steps(int value) {
        return LEAST + Math.max(0, value - MILLE);
    }

    @Override
    public Machine in(Machine machine, int value) {
        HardwareModel model = machine.requireModel();
        for (CostItem item : MeasuredMachine.SCHEDULER) {
            model = model.with(item, HostNumber.scaled(measured.requireModel().cost(item), steps(value)));
        }
        Cost between = measured.requireModel().cost(CostItem.SWITCH_PROCESS);
        return machine.with(model.with(CostItem.SWITCH_PROCESS, HostNumber.scaled(between, Math.min(MILLE, value))));
    }

    @Override
    public String text(int value) {
        String steps = String.format(Locale.ROOT, "assumed x %.3f", steps(value) / (double) MILLE);
        return value >= MILLE ? steps : String.format(Locale.ROOT, "%s, switch x %.3f", steps, value / (double) MILLE);
    }

    @Override
    public Map<String, Origin> origins(PinnedRow row, int value) {
        Map<String, Origin> origins = new LinkedHashMap<>();
        for (CostItem item : MeasuredMachine.SCHEDULER) {
            String before = Objects.requireNonNull(measured.origins().get("costs." + item.key()))
                    .text();
            origins.put(
                    "costs." + item.key(),
                    HostNumber.found(
                            row,
                            String.format(Locale.ROOT, "; %s, all x %.3f", before, steps(value) / (double) MILLE)));
        }
        if (value < MILLE) {
            int alone = measured.requireModel().cost(CostItem.SWITCH_PROCESS).coreNs();
            origins.put(
                    "costs." + CostItem.SWITCH_PROCESS.key(),
                    HostNumber.found(row, "; between processes that yield it is " + alone + " ns"));
        }
        return origins;
    }
}
