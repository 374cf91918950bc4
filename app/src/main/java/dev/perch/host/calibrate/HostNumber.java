package dev.perch.host.calibrate;

import dev.perch.host.bench.Benchmark;
import dev.perch.host.calibrate.HostReadings.PinnedRow;
import dev.perch.model.Cost;
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

/**
 * A number of a measured machine that is found by simulation: the larger it is, the longer its row takes. Some stand for several costs of a machine
 * file, whose proportions are kept.
 */
sealed interface HostNumber {
    /** In one word or a few, for people. */
    String title();

    /** Whether the machine has what it stands for. */
    boolean isKnown();

    /** Where the search begins. */
    int start();

    /** The largest that makes sense; the smallest is 0. */
    int max();

    /** The machine with this number. */
    Machine in(Machine machine, int value);

    /** What it is called in a table, with its unit. */
    String text(int value);

    /** Where the costs that it stands for come from, by path. */
    Map<String, Origin> origins(PinnedRow row, int value);

    int MILLE = 1000;
    int MOST_NS = 1_000_000;
    /** At most so much of a message's work comes after its wakeup, in thousandths. */
    int MOST_AFTER = 900;

    /** How the origin of a number begins that was found with this row. */
    static String rowText(Benchmark benchmark, String pins) {
        return benchmark.word() + " bound to " + pins + " on this machine";
    }

    private static Origin found(PinnedRow row, String how) {
        return HostOrigins.calibrated(String.format(
                Locale.ROOT,
                "%s, %.3f us/op%s",
                rowText(row.benchmark(), row.pins()),
                row.microseconds().median(),
                how));
    }

    private static Cost scaled(Cost cost, int mille) {
        return new Cost(
                (int) ((long) cost.coreNs() * mille / MILLE), (int) ((long) cost.wallNs() * mille / MILLE), cost.lines());
    }

    private static Cost cost(Machine machine, String workload, String name) {
        return machine.requireModel().workloads().getOrDefault(workload, Map.of()).getOrDefault(name, Cost.NONE);
    }

    private static boolean has(Machine machine, String workload, String name) {
        return machine.requireModel().workloads().getOrDefault(workload, Map.of()).containsKey(name);
    }

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
                model = model.with(item, scaled(measured.requireModel().cost(item), steps(value)));
            }
            Cost between = measured.requireModel().cost(CostItem.SWITCH_PROCESS);
            return machine.with(model.with(CostItem.SWITCH_PROCESS, scaled(between, Math.min(MILLE, value))));
        }

        @Override
        public String text(int value) {
            String steps = String.format(Locale.ROOT, "assumed x %.3f", steps(value) / (double) MILLE);
            return value >= MILLE
                    ? steps
                    : String.format(Locale.ROOT, "%s, switch x %.3f", steps, value / (double) MILLE);
        }

        @Override
        public Map<String, Origin> origins(PinnedRow row, int value) {
            Map<String, Origin> origins = new LinkedHashMap<>();
            for (CostItem item : MeasuredMachine.SCHEDULER) {
                String before = measured.origins().get("costs." + item.key()).text();
                origins.put(
                        "costs." + item.key(),
                        found(row, String.format(Locale.ROOT, "; %s, all x %.3f", before, steps(value) / (double) MILLE)));
            }
            if (value < MILLE) {
                int alone = measured.requireModel().cost(CostItem.SWITCH_PROCESS).coreNs();
                origins.put(
                        "costs." + CostItem.SWITCH_PROCESS.key(),
                        found(row, "; between processes that yield it is " + alone + " ns"));
            }
            return origins;
        }
    }

    /**
     * The way out of the shallowest idle state, ns after 1000; below that, thousandths of what the idle thread does on its way, with no time for the
     * hardware.
     */
    record IdleExit(Machine measured) implements HostNumber {
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
            for (CostItem item : MeasuredMachine.IDLE_THREAD) {
                model = model.with(item, scaled(measured.requireModel().cost(item), Math.min(MILLE, value)));
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
                    : String.format(Locale.ROOT, "0 ns, idle thread x %.3f", value / (double) MILLE);
        }

        @Override
        public Map<String, Origin> origins(PinnedRow row, int value) {
            Map<String, Origin> origins = new LinkedHashMap<>();
            origins.put("idle.states[0].real-exit-ns", found(row, ""));
            if (value < MILLE) {
                for (CostItem item : MeasuredMachine.IDLE_THREAD) {
                    origins.put("costs." + item.key(), found(row, ""));
                }
            }
            return origins;
        }
    }

    /** What a message takes beside the scheduler, ns; how much of it comes after the wakeup stays as it is. */
    record MessageWork(Machine measured, String workload) implements HostNumber {
        @Override
        public String title() {
            return workload + ": work of a message";
        }

        @Override
        public boolean isKnown() {
            return has(measured, workload, MeasuredWorkloads.MESSAGE) && has(measured, workload, MeasuredWorkloads.TAIL);
        }

        @Override
        public int start() {
            return cost(measured, workload, MeasuredWorkloads.MESSAGE).coreNs()
                    + cost(measured, workload, MeasuredWorkloads.TAIL).coreNs();
        }

        @Override
        public int max() {
            return MOST_NS;
        }

        @Override
        public Machine in(Machine machine, int value) {
            long before = cost(machine, workload, MeasuredWorkloads.MESSAGE).coreNs();
            long after = cost(machine, workload, MeasuredWorkloads.TAIL).coreNs();
            int tail = (int) (before + after == 0 ? 0 : value * after / (before + after));
            return machine.with(machine.requireModel()
                    .with(workload, MeasuredWorkloads.MESSAGE, Cost.core(value - tail))
                    .with(workload, MeasuredWorkloads.TAIL, Cost.core(tail)));
        }

        @Override
        public String text(int value) {
            return value + " ns";
        }

        @Override
        public Map<String, Origin> origins(PinnedRow row, int value) {
            Map<String, Origin> origins = new LinkedHashMap<>();
            origins.put("workloads." + workload + "." + MeasuredWorkloads.MESSAGE, found(row, ", with tail"));
            origins.put("workloads." + workload + "." + MeasuredWorkloads.TAIL, found(row, ", with message"));
            return origins;
        }
    }

    /**
     * What a message takes longer from another CPU. While it is small, thousandths of the message's work that do not come after the wakeup, where they
     * would run beside the receiver; beyond, ns that the receiver takes longer.
     */
    record MessageCrossing(Machine measured, String workload) implements HostNumber {
        private int mostBefore() {
            return MILLE - usualAfter();
        }

        private int usualAfter() {
            long before = cost(measured, workload, MeasuredWorkloads.MESSAGE).coreNs();
            long after = cost(measured, workload, MeasuredWorkloads.TAIL).coreNs();
            return (int) (before + after == 0 ? 0 : Math.min(MOST_AFTER, after * MILLE / (before + after)));
        }

        @Override
        public String title() {
            return workload + ": crossing";
        }

        @Override
        public boolean isKnown() {
            return has(measured, workload, MeasuredWorkloads.MESSAGE) && has(measured, workload, MeasuredWorkloads.TAIL);
        }

        @Override
        public int start() {
            return MOST_AFTER - usualAfter();
        }

        @Override
        public int max() {
            return MILLE + MOST_NS;
        }

        @Override
        public Machine in(Machine machine, int value) {
            int least = MOST_AFTER - usualAfter();
            int after = Math.max(usualAfter(), MOST_AFTER - value);
            int crossing = Math.max(0, value - least);
            int sum = cost(machine, workload, MeasuredWorkloads.MESSAGE).coreNs()
                    + cost(machine, workload, MeasuredWorkloads.TAIL).coreNs();
            int tail = (int) ((long) sum * after / MILLE);
            int lines = cost(machine, workload, MeasuredWorkloads.CROSSING).lines();
            return machine.with(machine.requireModel()
                    .with(workload, MeasuredWorkloads.MESSAGE, Cost.core(sum - tail))
                    .with(workload, MeasuredWorkloads.TAIL, Cost.core(tail))
                    .with(workload, MeasuredWorkloads.CROSSING, new Cost(crossing, 0, lines)));
        }

        @Override
        public String text(int value) {
            int least = MOST_AFTER - usualAfter();
            return value > least
                    ? value - least + " ns"
                    : "0 ns, " + Math.max(usualAfter(), MOST_AFTER - value) / 10 + " % after the wakeup";
        }

        @Override
        public Map<String, Origin> origins(PinnedRow row, int value) {
            Map<String, Origin> origins = new LinkedHashMap<>();
            origins.put("workloads." + workload + "." + MeasuredWorkloads.CROSSING, found(row, ""));
            return origins;
        }
    }

    /** Sending and receiving on a socket, in thousandths of what probes say. */
    record SocketCalls(Machine measured) implements HostNumber {
        private static final List<String> CALLS = List.of("socket-send", "socket-receive");

        @Override
        public String title() {
            return "calls on a Unix socket";
        }

        @Override
        public boolean isKnown() {
            return CALLS.stream().allMatch(call -> has(measured, MeasuredWorkloads.SYSTEM_CALLS, call));
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
                        scaled(cost(measured, MeasuredWorkloads.SYSTEM_CALLS, call), value));
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
                int single = cost(measured, MeasuredWorkloads.SYSTEM_CALLS, call).coreNs();
                origins.put(
                        "workloads.system-calls." + call,
                        found(row, "; alone on one CPU it takes " + single + " ns"));
            }
            return origins;
        }
    }

    /** What a message on a socket takes longer from another CPU, ns. */
    record SocketCrossing(Machine measured) implements HostNumber {
        @Override
        public String title() {
            return "Unix socket: crossing";
        }

        @Override
        public boolean isKnown() {
            return has(measured, MeasuredWorkloads.SYSTEM_CALLS, "socket-receive");
        }

        @Override
        public int start() {
            return 0;
        }

        @Override
        public int max() {
            return MOST_NS;
        }

        @Override
        public Machine in(Machine machine, int value) {
            int lines = cost(machine, MeasuredWorkloads.SYSTEM_CALLS, MeasuredWorkloads.CROSSING).lines();
            return machine.with(machine.requireModel()
                    .with(MeasuredWorkloads.SYSTEM_CALLS, MeasuredWorkloads.CROSSING, new Cost(value, 0, lines)));
        }

        @Override
        public String text(int value) {
            return value + " ns";
        }

        @Override
        public Map<String, Origin> origins(PinnedRow row, int value) {
            return Map.of("workloads.system-calls." + MeasuredWorkloads.CROSSING, found(row, ""));
        }
    }

    /** Cache lines that a message fetches from a farther CPU. */
    record CrossingLines(Machine measured, String workload) implements HostNumber {
        @Override
        public String title() {
            return workload + ": lines of a crossing";
        }

        @Override
        public boolean isKnown() {
            return has(measured, workload, MeasuredWorkloads.CROSSING);
        }

        @Override
        public int start() {
            return cost(measured, workload, MeasuredWorkloads.CROSSING).lines();
        }

        @Override
        public int max() {
            return 10_000;
        }

        @Override
        public Machine in(Machine machine, int value) {
            Cost before = cost(machine, workload, MeasuredWorkloads.CROSSING);
            return machine.with(machine.requireModel()
                    .with(
                            workload,
                            MeasuredWorkloads.CROSSING,
                            new Cost(before.coreNs(), before.wallNs(), value)));
        }

        @Override
        public String text(int value) {
            return value + " lines";
        }

        @Override
        public Map<String, Origin> origins(PinnedRow row, int value) {
            return Map.of("workloads." + workload + "." + MeasuredWorkloads.CROSSING + ".lines", found(row, ""));
        }
    }
}
