package dev.perch.lab;

import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.Distance;
import dev.perch.model.HardwareModel;
import dev.perch.model.InputException;
import dev.perch.model.LineTransfer;
import dev.perch.model.Machine;
import dev.perch.model.Nearest;
import dev.perch.model.SmtSpeed;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A whole number of a machine's hardware model that calibration may change, named by its path in the machine file.
 *
 * <pre>
 *   costs.ITEM.core|wall|lines            costs.idle-exit.core
 *   workloads.NAME.COST.core|wall|lines   workloads.tcp-rr.message.core
 *   transfer.DISTANCE                     transfer.package     (a line's one-way latency; tenths of nanoseconds are found)
 *   smt.busy                              (a speed; thousandths are found)
 * </pre>
 */
public sealed interface CalibrationConstant {
    /** The path in the machine file. */
    String path();

    /**
     * The value in a machine.
     *
     * @throws InputException if the machine does not have it
     */
    int of(Machine machine);

    /** The machine with another value, 0 or more. */
    Machine with(Machine machine, int value);

    /** How many of the units in which it is counted here make one of the machine file's. */
    default int scale() {
        return 1;
    }

    /** The value as it is written in a machine file. */
    default String text(int value) {
        return BigDecimal.valueOf(value)
                .divide(BigDecimal.valueOf(scale()))
                .stripTrailingZeros()
                .toPlainString();
    }

    /**
     * @throws InputException a path that names no constant, with the nearest word
     */
    static CalibrationConstant parse(String path) {
        List<String> words = List.of(path.split("\\.", -1));
        String kind = words.getFirst();
        return switch (kind) {
            case "costs" -> {
                length(path, words, 3);
                yield new KernelCost(path, item(path, words.get(1)), Part.parse(path, words.get(2)));
            }
            case "workloads" -> {
                length(path, words, 4);
                yield new WorkloadCost(path, words.get(1), words.get(2), Part.parse(path, words.get(3)));
            }
            case "transfer" -> {
                length(path, words, 2);
                yield new Transfer(path, distance(path, words.get(1)));
            }
            case "smt" -> {
                length(path, words, 2);
                if (!words.get(1).equals("busy")) {
                    throw unknown(path, words.get(1), List.of("busy"));
                }
                yield new SmtBusy(path);
            }
            default -> throw unknown(path, kind, List.of("costs", "workloads", "transfer", "smt"));
        };
    }

    /** Which of a cost's three numbers. */
    enum Part {
        CORE,
        WALL,
        LINES;

        static Part parse(String path, String word) {
            return switch (word) {
                case "core" -> CORE;
                case "wall" -> WALL;
                case "lines" -> LINES;
                default -> throw unknown(path, word, List.of("core", "wall", "lines"));
            };
        }

        int of(Cost cost) {
            return switch (this) {
                case CORE -> cost.coreNs();
                case WALL -> cost.wallNs();
                case LINES -> cost.lines();
            };
        }

        Cost with(Cost cost, int value) {
            return switch (this) {
                case CORE -> new Cost(value, cost.wallNs(), cost.lines());
                case WALL -> new Cost(cost.coreNs(), value, cost.lines());
                case LINES -> new Cost(cost.coreNs(), cost.wallNs(), value);
            };
        }
    }

    /** A cost of the kernel. */
    record KernelCost(String path, CostItem item, Part part) implements CalibrationConstant {
        @Override
        public int of(Machine machine) {
            return part.of(machine.requireModel().cost(item));
        }

        @Override
        public Machine with(Machine machine, int value) {
            HardwareModel model = machine.requireModel();
            return machine.with(model.with(item, part.with(model.cost(item), value)));
        }
    }

    /** A workload's own cost. */
    record WorkloadCost(String path, String workload, String name, Part part) implements CalibrationConstant {
        @Override
        public int of(Machine machine) {
            return part.of(cost(machine));
        }

        @Override
        public Machine with(Machine machine, int value) {
            return machine.with(machine.requireModel().with(workload, name, part.with(cost(machine), value)));
        }

        private Cost cost(Machine machine) {
            return machine.requireModel().workloadCost(machine.name(), workload, name);
        }
    }

    /** The one-way latency of a cache line, tenths of nanoseconds. */
    record Transfer(String path, Distance distance) implements CalibrationConstant {
        private static final long PS = 100;

        @Override
        public int scale() {
            return 10;
        }

        @Override
        public int of(Machine machine) {
            return (int) (machine.requireModel().transfer().latencyPs(distance) / PS);
        }

        @Override
        public Machine with(Machine machine, int value) {
            HardwareModel model = machine.requireModel();
            LineTransfer changed = model.transfer().with(distance, value * PS);
            return machine.with(model.with(changed));
        }
    }

    /** Speed of a hardware thread beside a busy one, thousandths. */
    record SmtBusy(String path) implements CalibrationConstant {
        @Override
        public int scale() {
            return 1000;
        }

        @Override
        public int of(Machine machine) {
            return machine.requireModel().smt().busyMille();
        }

        @Override
        public Machine with(Machine machine, int value) {
            HardwareModel model = machine.requireModel();
            return machine.with(model.with(
                    new SmtSpeed(value, model.smt().pollingMille(), model.smt().repartitionNs())));
        }
    }

    private static void length(String path, List<String> words, int length) {
        if (words.size() != length) {
            throw new InputException("'" + path + "' names no constant of a machine; write it as costs.idle-exit.core, "
                    + "workloads.tcp-rr.message.core, transfer.package or smt.busy");
        }
    }

    private static CostItem item(String path, String word) {
        for (CostItem item : CostItem.all()) {
            if (item.key().equals(word)) {
                return item;
            }
        }
        throw unknown(
                path, word, Arrays.stream(CostItem.all()).map(CostItem::key).toList());
    }

    private static Distance distance(String path, String word) {
        Map<String, Distance> distances = new LinkedHashMap<>();
        for (Distance distance : Distance.all()) {
            if (distance != Distance.CPU && distance != Distance.REMOTE) {
                distances.put(distance.word(), distance);
            }
        }
        Distance distance = distances.get(word);
        if (distance == null) {
            throw unknown(path, word, distances.keySet());
        }
        return distance;
    }

    private static InputException unknown(String path, String word, Collection<String> known) {
        return new InputException(
                "'" + path + "' names no constant of a machine: unknown '" + word + "'" + Nearest.hint(word, known));
    }
}
