package dev.perch.host.calibrate;

import dev.perch.host.probe.Reading;
import dev.perch.model.Cost;
import dev.perch.model.HardwareModel;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the workloads' own steps cost on the host: system calls as measured, all else as on the nearest machine times the ratio of the kernel's work, or of
 * the clocks where it is computation.
 */
final class MeasuredWorkloads {
    static final String SYSTEM_CALLS = "system-calls";
    static final String MESSAGE = "message";
    static final String TAIL = "tail";
    static final String CROSSING = "crossing";

    private static final String PIPE = "pipe";
    private static final String TCP_RR = "tcp-rr";

    private final HostReadings readings;
    private final Machine nearest;
    private final HardwareModel old;
    private final Ratio kernelWork;
    private final Map<String, Origin> origins;

    MeasuredWorkloads(HostReadings readings, Machine nearest, Ratio kernelWork, Map<String, Origin> origins) {
        this.readings = readings;
        this.nearest = nearest;
        this.kernelWork = kernelWork;
        this.origins = origins;
        old = nearest.requireModel();
    }

    Map<String, Map<String, Cost>> costs() {
        Map<String, Map<String, Cost>> costs = new LinkedHashMap<>();
        new TreeMap<>(old.workloads()).forEach((workload, there) -> {
            Map<String, Cost> here = new TreeMap<>();
            there.forEach((name, cost) -> here.put(name, kernelWork.of(cost)));
            costs.put(workload, here);
            origins.put("workloads." + workload, HostOrigins.assumed(kernelWork.text(nearest.name())));
        });
        exchange(costs, PIPE, Probe.PIPE_WRITE, Probe.PIPE_READ);
        exchange(costs, TCP_RR, Probe.TCP_SEND, Probe.TCP_RECEIVE);
        Map<String, Cost> calls = costs.getOrDefault(SYSTEM_CALLS, Map.of());
        call(calls, "pipe-write", Probe.PIPE_WRITE);
        call(calls, "pipe-read", Probe.PIPE_READ);
        call(calls, "socket-send", Probe.SOCKET_SEND);
        call(calls, "socket-receive", Probe.SOCKET_RECEIVE);
        call(calls, "futex", Probe.FUTEX_WAKE);
        readings.of(Probe.PIPE_WRITE).ifPresent(write -> {
            calls.put("pipe-mutex", Cost.core((int) Math.rint(write.median() / 2)));
            origins.put("workloads.system-calls.pipe-mutex", HostOrigins.assumed("half of a call"));
        });
        return costs;
    }

    private void call(Map<String, Cost> calls, String name, Probe probe) {
        if (!calls.containsKey(name)) {
            return;
        }
        readings.of(probe).ifPresent(reading -> {
            calls.put(name, Cost.core((int) Math.rint(reading.median())));
            origins.put("workloads.system-calls." + name, HostOrigins.measured("on one CPU, nobody waits", reading));
        });
    }

    /** A message takes a call that sends and one that receives; how much of that comes after the wakeup is the nearest machine's. */
    private void exchange(Map<String, Map<String, Cost>> costs, String workload, Probe send, Probe receive) {
        Map<String, Cost> own = costs.get(workload);
        if (own == null || readings.of(send).isEmpty() || readings.of(receive).isEmpty()) {
            return;
        }
        Reading sending = readings.of(send).orElseThrow();
        Reading receiving = readings.of(receive).orElseThrow();
        int sum = (int) Math.rint(sending.median() + receiving.median());
        double share = tailShare(workload);
        int tail = (int) Math.rint(sum * share);
        own.put(MESSAGE, Cost.core(sum - tail));
        own.put(TAIL, Cost.core(tail));
        String how = "the call that sends (" + HostOrigins.number(sending.median()) + " ns) and the one that receives ("
                + HostOrigins.number(receiving.median()) + " ns) on one CPU; divided as on " + nearest.name();
        origins.put("workloads." + workload + "." + MESSAGE, new Origin(Origin.Kind.MEASURED, how));
        origins.put("workloads." + workload + "." + TAIL, new Origin(Origin.Kind.MEASURED, how));
    }

    /** How much of a message's work comes after its wakeup, on the nearest machine. */
    private double tailShare(String workload) {
        Map<String, Cost> there = old.workloads().getOrDefault(workload, Map.of());
        double message = there.getOrDefault(MESSAGE, Cost.NONE).coreNs();
        double tail = there.getOrDefault(TAIL, Cost.NONE).coreNs();
        return message + tail > 0 ? tail / (message + tail) : 0.3;
    }
}
