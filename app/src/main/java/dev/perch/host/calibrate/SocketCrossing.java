package dev.perch.host.calibrate;

import dev.perch.host.calibrate.HostReadings.PinnedRow;
import dev.perch.model.Cost;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.Map;

/** What a message on a socket takes longer from another CPU, ns. */
record SocketCrossing(Machine measured) implements HostNumber {
    @Override
    public String title() {
        return "Unix socket: crossing";
    }

    @Override
    public boolean isKnown() {
        return HostNumber.has(measured, MeasuredWorkloads.SYSTEM_CALLS, "socket-receive");
    }

    /** Large enough for the first step of the search to be seen among the noise of simulations. */
    @Override
    public int start() {
        return MILLE;
    }

    @Override
    public int max() {
        return MOST_NS;
    }

    @Override
    public Machine in(Machine machine, int value) {
        int lines = HostNumber.cost(machine, MeasuredWorkloads.SYSTEM_CALLS, MeasuredWorkloads.CROSSING)
                .lines();
        return machine.with(machine.requireModel()
                .with(MeasuredWorkloads.SYSTEM_CALLS, MeasuredWorkloads.CROSSING, new Cost(value, 0, lines)));
    }

    @Override
    public String text(int value) {
        return value + " ns";
    }

    @Override
    public Map<String, Origin> origins(PinnedRow row, int value) {
        return Map.of("workloads.system-calls." + MeasuredWorkloads.CROSSING, HostNumber.found(row, ""));
    }
}
