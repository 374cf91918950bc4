package dev.perch.sim;

import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.HardwareModel;
import dev.perch.model.LineTransfer;
import dev.perch.model.Machine;
import dev.perch.model.Topology;

/** A machine's costs, flattened for the event loop: core and wall ns of each item, and what a cache line costs between two CPUs. */
final class CostTable {
    private final int[] coreNs;
    private final int[] wallNs;
    private final int[] lines;
    private final long[] linePs;
    private final int cpuCount;

    CostTable(Machine machine) {
        HardwareModel model = machine.requireModel();
        CostItem[] items = CostItem.all();
        coreNs = new int[items.length];
        wallNs = new int[items.length];
        lines = new int[items.length];
        for (CostItem item : items) {
            Cost cost = model.cost(item);
            coreNs[item.ordinal()] = cost.coreNs();
            wallNs[item.ordinal()] = cost.wallNs();
            lines[item.ordinal()] = cost.lines();
        }
        Topology topology = machine.topology();
        LineTransfer transfer = model.transfer();
        cpuCount = topology.cpuCount();
        linePs = new long[cpuCount * cpuCount];
        for (int to = 0; to < cpuCount; to++) {
            for (int from = 0; from < cpuCount; from++) {
                linePs[to * cpuCount + from] = from == to ? 0 : transfer.exposedPs(topology, from, to);
            }
        }
    }

    int coreNs(CostItem item) {
        return coreNs[item.ordinal()];
    }

    int wallNs(CostItem item) {
        return wallNs[item.ordinal()];
    }

    /** Wall time for CPU {@code to} to fetch the lines of {@code item} that CPU {@code from} wrote, ns. */
    long lineNs(CostItem item, int from, int to) {
        return lineNs(lines[item.ordinal()], from, to);
    }

    /** Wall time for CPU {@code to} to fetch {@code count} lines that CPU {@code from} wrote, ns. */
    long lineNs(int count, int from, int to) {
        return count * linePs[to * cpuCount + from] / 1000;
    }
}
