package dev.perch.audit;

import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.HardwareModel;
import dev.perch.model.Topology;

/**
 * What it costs on a machine to hand a wakee to an idle CPU instead of the chosen one: interrupt, exit from the idle state, switch, and
 * on another core the refill of the private caches.
 *
 * <p>Core-clock parts at the nominal clock, cache lines by the distance between the two CPUs, the exit of the machine's shallowest idle
 * state. Limitations: no tick restart, no deeper idle state, no busy sibling: a lower bound for deep sleepers.
 */
final class CrossingCost {
    private static final CostItem[] STEPS = {
        CostItem.IPI_SEND, CostItem.IPI_DELIVERY, CostItem.IPI_HANDLER, CostItem.IDLE_EXIT, CostItem.SWITCH_IDLE
    };

    private final Topology topology;
    private final HardwareModel model;
    private final Cost steps;
    private final Cost refill;

    CrossingCost(Topology topology, HardwareModel model) {
        this.topology = topology;
        this.model = model;
        Cost sum = Cost.NONE;
        for (CostItem step : STEPS) {
            sum = sum.plus(model.cost(step));
        }
        if (!model.idleStates().isEmpty()) {
            sum = sum.plus(Cost.wall(model.idleStates().getFirst().realExitNs()));
        }
        steps = sum;
        refill = model.cost(CostItem.MIGRATION_REFILL);
    }

    /** ns for crossing from one CPU to another; 0 for the same. */
    long ns(int from, int to) {
        if (from == to) {
            return 0;
        }
        long ns = (long) steps.coreNs() + steps.wallNs();
        int lines = steps.lines();
        if (topology.coreOf(from) != topology.coreOf(to)) {
            ns += (long) refill.coreNs() + refill.wallNs();
            lines += refill.lines();
        }
        return ns + lines * model.transfer().exposedPs(topology, from, to) / 1000;
    }

    /** What switching to a woken task on the waker's own CPU costs, ns. */
    long sameCpuNs() {
        Cost cost = model.cost(CostItem.PICK).plus(model.cost(CostItem.SWITCH_PROCESS));
        return (long) cost.coreNs() + cost.wallNs();
    }
}
