package dev.perch.host.calibrate;

import dev.perch.host.probe.Reading;
import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.Distance;
import dev.perch.model.HardwareModel;
import dev.perch.model.IdleState;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import dev.perch.model.SmtSpeed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A machine made of what was measured on a host. What probes show is taken from them; what they do not show is taken from the nearest machine of
 * which all is known, times a ratio where one fits, and every number says which of the two it is.
 *
 * <p>Some numbers cannot be told apart by probes: the steps of a wakeup, the way out of an idle state, what a message takes beside its system
 * calls. They begin as the nearest machine's and are found by {@link HostFit}.
 */
final class MeasuredMachine {
    /** The steps of a wakeup and of blocking, which are measured as one sum only. */
    static final List<CostItem> SCHEDULER = List.of(
            CostItem.PROBE,
            CostItem.MASK_OP,
            CostItem.RUNQUEUE_LOCK,
            CostItem.ENQUEUE,
            CostItem.PREEMPTION_CHECK,
            CostItem.DEQUEUE,
            CostItem.PICK);

    /** What the idle thread does on its way in and out. */
    static final List<CostItem> IDLE_THREAD =
            List.of(CostItem.IDLE_ENTRY, CostItem.IDLE_EXIT, CostItem.TICK_STOP, CostItem.TICK_RESTART);

    /** Other work of the kernel, as long as nothing is measured of it. */
    private static final List<CostItem> OTHER_KERNEL = List.of(
            CostItem.SWITCH_PROCESS,
            CostItem.SWITCH_THREAD,
            CostItem.IPI_HANDLER,
            CostItem.TICK,
            CostItem.BALANCE_PROBE,
            CostItem.BALANCE_MOVE,
            CostItem.GOVERNOR_SAMPLE);

    private static final double LONGEST_TICK_NS = 100_000;
    private static final String HALT = "C1";
    private static final SmtSpeed NO_SMT = new SmtSpeed(HardwareModel.FULL_SPEED, HardwareModel.FULL_SPEED, 0);
    private static final int USUAL_REPARTITION_NS = 150;

    private final HostReadings readings;
    private final Machine nearest;
    private final HardwareModel old;
    private final Ratio kernelWork;
    private final Map<String, Origin> origins = new LinkedHashMap<>();

    private MeasuredMachine(HostReadings readings, Machine nearest) {
        this.readings = readings;
        this.nearest = nearest;
        old = nearest.requireModel();
        kernelWork = kernelWork();
    }

    /**
     * Makes the machine.
     *
     * @param nearest a machine with a model, as {@code NearestMachine} chooses it
     */
    static Machine of(HostReadings readings, Machine nearest) {
        return new MeasuredMachine(readings, nearest).machine();
    }

    private Machine machine() {
        readings.host().origins().forEach((path, origin) -> {
            if (path.startsWith("topology") || path.startsWith("caches")) {
                origins.put(path, origin);
            }
        });
        Cost[] costs = costs();
        MeasuredTransfers transfers = new MeasuredTransfers(readings, nearest, origins);
        HardwareModel model = new HardwareModel(
                        costs,
                        transfers.transfer(),
                        smt(),
                        idleStates(),
                        new MeasuredClocks(readings, origins).frequencies(),
                        new MeasuredWorkloads(readings, nearest, kernelWork, origins).costs())
                .withSpeeds(HardwareModel.speedsOf(readings.host().topology()));
        return new Machine(
                readings.host().name(),
                readings.processor() + ", measured",
                readings.host().source(),
                readings.host().topology(),
                readings.host().caches(),
                model,
                origins);
    }

    /** How much longer the kernel's work takes here than on the nearest machine: by what a message through a pipe takes in system calls. */
    private Ratio kernelWork() {
        double here = readings.of(Probe.PIPE_WRITE).map(Reading::median).orElse(0.0)
                + readings.of(Probe.PIPE_READ).map(Reading::median).orElse(0.0);
        Map<String, Cost> calls = old.workloads().getOrDefault(MeasuredWorkloads.SYSTEM_CALLS, Map.of());
        double there = calls.getOrDefault("pipe-write", Cost.NONE).coreNs()
                + calls.getOrDefault("pipe-read", Cost.NONE).coreNs();
        return here > 0 && there > 0 ? new Ratio(here / there, "the ratio of a write and a read of a pipe") : Ratio.ONE;
    }

    private Cost[] costs() {
        Origin there = HostOrigins.assumed(nearest.name() + "'s");
        Origin byRatio = HostOrigins.assumed(kernelWork.text(nearest.name()));
        origins.put("costs", there);
        Cost[] costs = new Cost[CostItem.all().length];
        for (CostItem item : CostItem.all()) {
            put(costs, item, old.cost(item), there);
        }
        for (List<CostItem> items : List.of(SCHEDULER, IDLE_THREAD, OTHER_KERNEL)) {
            items.forEach(item -> put(costs, item, kernelWork.of(old.cost(item)), byRatio));
        }
        measured(
                costs,
                CostItem.SWITCH_PROCESS,
                readings.of(Probe.SWITCH_PROCESS),
                "two processes that yield to each other on one CPU");
        measured(
                costs,
                CostItem.SWITCH_THREAD,
                readings.of(Probe.SWITCH_THREAD),
                "two threads that yield to each other on one CPU");
        put(
                costs,
                CostItem.SWITCH_IDLE,
                costs[CostItem.SWITCH_THREAD.ordinal()],
                HostOrigins.assumed("as between threads: the idle thread keeps the address space"));
        measured(costs, CostItem.TICK, tick(), "gaps of a spinning thread that come back with the tick");
        interrupts(costs);
        migration(costs);
        return costs;
    }

    /** A longer gap was somebody else's turn on the CPU. */
    private Optional<Reading> tick() {
        return readings.of(Probe.TICK).filter(reading -> reading.median() <= LONGEST_TICK_NS);
    }

    private void measured(Cost[] costs, CostItem item, Optional<Reading> measured, String how) {
        measured.ifPresent(reading -> put(costs, item, Cost.core(ns(reading)), HostOrigins.measured(how, reading)));
    }

    /** Sending: what waking somebody on another CPU takes longer than a call that wakes nobody. Delivery: what is left of an interrupt there and back. */
    private void interrupts(Cost[] costs) {
        HostReadings.Pair pair = readings.base().orElse(null);
        if (pair == null) {
            return;
        }
        pair.of(Probe.WAKE_CALL).ifPresent(call -> {
            double nobody = readings.of(Probe.FUTEX_WAKE).map(Reading::median).orElse(0.0);
            int send = (int) Math.max(0, Math.rint(call.median() - nobody - queueing()));
            put(
                    costs,
                    CostItem.IPI_SEND,
                    Cost.core(send),
                    HostOrigins.measured(
                            "waking a sleeper of CPU " + pair.to() + " less waking nobody and queueing", call));
        });
        pair.of(Probe.INTERRUPT).ifPresent(there -> delivery(costs, pair, there));
    }

    /** Where a busy CPU is interrupted more slowly than a sleeper of an idle one runs, as under some hypervisors, the one says nothing of the other. */
    private void delivery(Cost[] costs, HostReadings.Pair pair, Reading there) {
        double wakeup = pair.of(Probe.WAKE_LATENCY).map(Reading::median).orElse(Double.MAX_VALUE);
        Cost before = old.cost(CostItem.IPI_DELIVERY);
        if (there.median() > wakeup) {
            put(
                    costs,
                    CostItem.IPI_DELIVERY,
                    before,
                    HostOrigins.assumed(nearest.name() + "'s; here a busy CPU is interrupted and answers in "
                            + HostOrigins.number(there.median()) + " ns, which is more than waking an idle one takes"));
            return;
        }
        int around = costs[CostItem.IPI_SEND.ordinal()].coreNs() + costs[CostItem.IPI_HANDLER.ordinal()].coreNs();
        put(
                costs,
                CostItem.IPI_DELIVERY,
                new Cost(0, Math.max(0, ns(there) - around), before.lines()),
                HostOrigins.measured(
                        "an interrupt from CPU " + pair.from() + " to " + pair.to()
                                + " and its acknowledgement, less sending and handler",
                        there));
        origins.put("costs.ipi-delivery.lines", HostOrigins.assumed(nearest.name() + "'s"));
    }

    /** What the waker does before it sends an interrupt: it looks at two CPUs and puts the task on a wake list. */
    private int queueing() {
        return kernelWork.of(old.cost(CostItem.PROBE)).coreNs() * 2
                + kernelWork.of(old.cost(CostItem.RUNQUEUE_LOCK)).coreNs();
    }

    private void migration(Cost[] costs) {
        Cost before = old.cost(CostItem.MIGRATION_REFILL);
        readings.base().flatMap(pair -> pair.of(Probe.MIGRATION_REFILL)).ifPresent(reading -> {
            put(
                    costs,
                    CostItem.MIGRATION_REFILL,
                    new Cost(0, Math.max(0, ns(reading)), before.lines()),
                    HostOrigins.measured("the first write and read of a pipe after a move to another core", reading));
            if (before.lines() > 0) {
                origins.put("costs.migration-refill.lines", HostOrigins.assumed(nearest.name() + "'s"));
            }
        });
    }

    private void put(Cost[] costs, CostItem item, Cost cost, Origin origin) {
        costs[item.ordinal()] = cost;
        origins.put("costs." + item.key(), origin);
    }

    private SmtSpeed smt() {
        if (!readings.host().topology().hasSmt()) {
            return NO_SMT;
        }
        boolean known = nearest.topology().hasSmt();
        SmtSpeed there = known
                ? old.smt()
                : new SmtSpeed(HardwareModel.FULL_SPEED, HardwareModel.FULL_SPEED, USUAL_REPARTITION_NS);
        origins.put("smt", HostOrigins.assumed(known ? nearest.name() + "'s" : "usual for cores with two threads"));
        return readings.pair(Distance.SMT)
                .flatMap(pair -> pair.of(Probe.BESIDE))
                .map(reading -> {
                    origins.put(
                            "smt.busy", HostOrigins.measured("a loop beside the same loop on the sibling", reading));
                    int busy = (int) Math.clamp(
                            Math.rint(reading.median() * HardwareModel.FULL_SPEED), 1, HardwareModel.FULL_SPEED);
                    return new SmtSpeed(busy, Math.max(busy, there.pollingMille()), there.repartitionNs());
                })
                .orElse(there);
    }

    /** The driver's states; a CPU without a driver halts. What leaving them takes is found by {@link HostFit}, from the shallowest on. */
    private List<IdleState> idleStates() {
        if (readings.idleStates().isEmpty()) {
            origins.put("idle", HostOrigins.assumed("no idle driver: the CPU halts"));
            return List.of(new IdleState(HALT, 1, 1, 0, true));
        }
        origins.put("idle", new Origin(Origin.Kind.MEASURED, "the idle driver's table"));
        List<IdleState> states = new ArrayList<>();
        Reading shallowest = null;
        int before = 0;
        for (int i = 0; i < readings.idleStates().size(); i++) {
            HostReadings.IdleReading state = readings.idleStates().get(i);
            Reading latency = state.latency().orElse(null);
            String path = "idle.states[" + i + "].real-exit-ns";
            int real = before;
            if (latency != null && shallowest != null) {
                real = Math.max(before, (int) Math.rint(latency.median() - shallowest.median()));
                origins.put(path, HostOrigins.measured("waking from it, beyond the shallowest state", latency));
            } else if (i > 0) {
                real = Math.max(before, state.facts().exitUs() * 1000);
                origins.put(path, HostOrigins.assumed("the driver's exit latency; the state was not reached"));
            }
            shallowest = shallowest == null ? latency : shallowest;
            states.add(new IdleState(
                    state.facts().name(), state.facts().exitUs(), state.facts().residencyUs(), real, i == 0));
            origins.put(
                    "idle.states[" + i + "].votes",
                    HostOrigins.assumed("only the shallowest state keeps the core's clock"));
            before = real;
        }
        return states;
    }

    private static int ns(Reading reading) {
        return (int) Math.clamp(Math.rint(reading.median()), 0, Integer.MAX_VALUE);
    }
}
