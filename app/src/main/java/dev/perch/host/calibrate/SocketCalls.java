package dev.perch.host.calibrate;

import dev.perch.host.calibrate.HostReadings.PinnedRow;
import dev.perch.model.HardwareModel;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Sending and receiving on a socket, in thousandths of what probes say. */
record SocketCalls(Machine measured) implements HostNumber {
    private static final List<String> CALLS = List.of("socket-send", "socket-receive");

    @Override
    public String title() {
        return "calls on a Unix socket";
    }

    @Override
    public boolean isKnown() {
        return CALLS.stream().allMatch(call -> HostNumber.has(measured, MeasuredWorkloads.SYSTEM_CALLS, call));
    }

    @Override
    public int start() {
        return MILLE;
    }

    @Override
    public int max() {
        return 100 * MILLE;
    }

    @Override
    public Machine in(Machine machine, int value) {
        HardwareModel model = machine.requireModel();
        for (String call : CALLS) {
            model = model.with(
                    MeasuredWorkloads.SYSTEM_CALLS,
                    call,
                    HostNumber.scaled(HostNumber.cost(measured, MeasuredWorkloads.SYSTEM_CALLS, call), value));
        }
        return machine.with(model);
    }

    @Override
    public String text(int value) {
        return String.format(Locale.ROOT, "measured x %.3f", value / (double) MILLE);
    }

    @Override
    public Map<String, Origin> origins(PinnedRow row, int value) {
        Map<String, Origin> origins = new LinkedHashMap<>();
        for (String call : CALLS) {
            int single = HostNumber.cost(measured, MeasuredWorkloads.SYSTEM_CALLS, call)
                    .coreNs();
            origins.put(
                    "workloads.system-calls." + call,
                    HostNumber.found(row, "; alone on one CPU it takes " + single + " ns"));
        }
        return origins;
    }
}
