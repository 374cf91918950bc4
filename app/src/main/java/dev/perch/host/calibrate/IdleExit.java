package dev.perch.host.calibrate;

import dev.perch.host.calibrate.HostReadings.PinnedRow;
import dev.perch.model.CostItem;
import dev.perch.model.HardwareModel;
import dev.perch.model.IdleState;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The way out of the shallowest idle state, ns after 1000; below that, thousandths of what interrupts and the idle thread take on the way, with no time for the
 * hardware.
 */
record IdleExit(Machine measured) implements HostNumber {
    private static final List<CostItem> WAY = way();

    private static List<CostItem> way() {
        List<CostItem> way = new ArrayList<>(MeasuredMachine.IDLE_THREAD);
        way.addAll(List.of(CostItem.IPI_SEND, CostItem.IPI_DELIVERY, CostItem.IPI_HANDLER));
        return List.copyOf(way);
    }

    @Override
    public String title() {
        return "way out of idleness";
    }

    @Override
    public boolean isKnown() {
        return true;
    }

    @Override
    public int start() {
        return 2 * MILLE;
    }

    @Override
    public int max() {
        return MILLE + MOST_NS;
    }

    @Override
    public Machine in(Machine machine, int value) {
        HardwareModel model = machine.requireModel();
        for (CostItem item : WAY) {
            model = model.with(item, HostNumber.scaled(measured.requireModel().cost(item), Math.min(MILLE, value)));
        }
        int exit = Math.max(0, value - MILLE);
        int before = measured.requireModel().idleStates().getFirst().realExitNs();
        List<IdleState> states = new ArrayList<>();
        for (IdleState state : measured.requireModel().idleStates()) {
            states.add(new IdleState(
                    state.name(),
                    state.exitUs(),
                    state.residencyUs(),
                    state.realExitNs() - before + exit,
                    state.votes()));
        }
        return machine.with(model.withIdleStates(states));
    }

    @Override
    public String text(int value) {
        return value >= MILLE
                ? value - MILLE + " ns"
                : String.format(Locale.ROOT, "0 ns, idle thread and interrupts x %.3f", value / (double) MILLE);
    }

    @Override
    public Map<String, Origin> origins(PinnedRow row, int value) {
        Map<String, Origin> origins = new LinkedHashMap<>();
        origins.put("idle.states[0].real-exit-ns", HostNumber.found(row, ""));
        if (value < MILLE) {
            for (CostItem item : WAY) {
                String before = Objects.requireNonNull(measured.origins().get("costs." + item.key()))
                        .text();
                String all = String.format(Locale.ROOT, "; %s, all x %.3f", before, value / (double) MILLE);
                origins.put("costs." + item.key(), HostNumber.found(row, all));
            }
        }
        return origins;
    }
}
