package dev.perch.model;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What things cost on a machine, apart from who shares what.
 *
 * <p>Core-clock costs are stated at {@link Frequencies#nominalKhz}.
 */
public final class HardwareModel {
    /** {@link #speedMille} of the fastest CPUs. */
    public static final int FULL_SPEED = 1000;

    private final Cost[] costs;
    private final LineTransfer transfer;
    private final SmtSpeed smt;
    private final List<IdleState> idleStates;
    private final Frequencies frequencies;
    private final Map<String, Map<String, Cost>> workloads;
    private final int[] speedMille;

    /**
     * A model of equal CPUs.
     *
     * @param costs by {@link CostItem} ordinal
     * @param idleStates shallow to deep, the first one is C1 (polling is not in the table)
     * @param workloads workload name → the workload's own cost name → cost, such as {@code tcp-rr} → {@code message}
     */
    public HardwareModel(
            Cost[] costs,
            LineTransfer transfer,
            SmtSpeed smt,
            List<IdleState> idleStates,
            Frequencies frequencies,
            Map<String, Map<String, Cost>> workloads) {
        this(costs, transfer, smt, idleStates, frequencies, workloads, new int[0]);
    }

    private HardwareModel(
            Cost[] costs,
            LineTransfer transfer,
            SmtSpeed smt,
            List<IdleState> idleStates,
            Frequencies frequencies,
            Map<String, Map<String, Cost>> workloads,
            int[] speedMille) {
        this.costs = Arrays.copyOf(costs, CostItem.all().length);
        this.transfer = transfer;
        this.smt = smt;
        this.idleStates = List.copyOf(idleStates);
        this.frequencies = frequencies;
        this.workloads = Map.copyOf(workloads);
        this.speedMille = speedMille;
    }

    /** Speed of a CPU at the nominal clock in thousandths of the fastest CPUs'. */
    public int speedMille(int cpu) {
        return cpu < speedMille.length ? speedMille[cpu] : FULL_SPEED;
    }

    /** The speeds that the capacities of CPUs say, in thousandths, by CPU. */
    public static int[] speedsOf(Topology topology) {
        int[] mille = new int[topology.cpuCount()];
        for (int cpu = 0; cpu < mille.length; cpu++) {
            int capacity = topology.capacity(cpu) * FULL_SPEED;
            mille[cpu] = Math.max(1, Math.round((float) capacity / Topology.FULL_CAPACITY));
        }
        return mille;
    }

    /**
     * The same model of CPUs that are not equal.
     *
     * @param mille by CPU, 1 … 1000
     */
    public HardwareModel withSpeeds(int[] mille) {
        return new HardwareModel(costs, transfer, smt, idleStates, frequencies, workloads, mille.clone());
    }

    public Cost cost(CostItem item) {
        return costs[item.ordinal()];
    }

    public LineTransfer transfer() {
        return transfer;
    }

    public SmtSpeed smt() {
        return smt;
    }

    public List<IdleState> idleStates() {
        return idleStates;
    }

    public Frequencies frequencies() {
        return frequencies;
    }

    /**
     * A workload's own cost on this machine.
     *
     * @throws InputException if the machine does not have it
     */
    public Cost workloadCost(String machine, String workload, String name) {
        Cost cost = workloads.getOrDefault(workload, Map.of()).get(name);
        if (cost == null) {
            throw new InputException("machine '" + machine + "' has no cost '" + name + "' for workload '" + workload
                    + "'; add it under workloads." + workload + " in its file, or choose another machine");
        }
        return cost;
    }

    public Map<String, Map<String, Cost>> workloads() {
        return workloads;
    }

    /** The same model with one kernel cost replaced; for calibration. */
    public HardwareModel with(CostItem item, Cost cost) {
        Cost[] changed = costs.clone();
        changed[item.ordinal()] = cost;
        return new HardwareModel(changed, transfer, smt, idleStates, frequencies, workloads, speedMille);
    }

    /** The same model with one workload cost replaced; for calibration. */
    public HardwareModel with(String workload, String name, Cost cost) {
        Map<String, Map<String, Cost>> changed = new java.util.HashMap<>(workloads);
        Map<String, Cost> inner = new java.util.HashMap<>(workloads.getOrDefault(workload, Map.of()));
        inner.put(name, cost);
        changed.put(workload, Map.copyOf(inner));
        return new HardwareModel(costs, transfer, smt, idleStates, frequencies, changed, speedMille);
    }

    /** The same model with other line transfer costs; for calibration. */
    public HardwareModel with(LineTransfer changed) {
        return new HardwareModel(costs, changed, smt, idleStates, frequencies, workloads, speedMille);
    }

    /** The same model with other speeds beside an SMT sibling; for calibration. */
    public HardwareModel with(SmtSpeed changed) {
        return new HardwareModel(costs, transfer, changed, idleStates, frequencies, workloads, speedMille);
    }

    /** The same model with other idle states; for calibration. */
    public HardwareModel withIdleStates(List<IdleState> changed) {
        return new HardwareModel(costs, transfer, smt, changed, frequencies, workloads, speedMille);
    }
}
