package dev.perch.host.calibrate;

import dev.perch.host.bench.Benchmark;
import dev.perch.host.calibrate.HostReadings.PinnedRow;
import dev.perch.model.Cost;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.Locale;
import java.util.Map;

/**
 * A number of a measured machine that is found by simulation: the larger it is, the longer its row takes. Some stand for several costs of a machine
 * file, whose proportions are kept.
 */
sealed interface HostNumber
        permits WakeupSteps, IdleExit, MessageWork, MessageCrossing, SocketCalls, SocketCrossing, CrossingLines {
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

    /** How the origin of a number begins that was found with this row. */
    static String rowText(Benchmark benchmark, String pins) {
        return benchmark.word() + " bound to " + pins + " on this machine";
    }

    /** Where a number comes from that was found with this row. */
    static Origin found(PinnedRow row, String how) {
        return HostOrigins.calibrated(String.format(
                Locale.ROOT,
                "%s, %.3f us/op%s",
                rowText(row.benchmark(), row.pins()),
                row.microseconds().median(),
                how));
    }

    /** A cost in thousandths of itself; cache lines remain as many. */
    static Cost scaled(Cost cost, int mille) {
        return new Cost(
                (int) ((long) cost.coreNs() * mille / MILLE),
                (int) ((long) cost.wallNs() * mille / MILLE),
                cost.lines());
    }

    /** A workload's cost, nothing if the machine has none of that name. */
    static Cost cost(Machine machine, String workload, String name) {
        return machine.requireModel()
                .workloads()
                .getOrDefault(workload, Map.of())
                .getOrDefault(name, Cost.NONE);
    }

    static boolean has(Machine machine, String workload, String name) {
        return machine.requireModel()
                .workloads()
                .getOrDefault(workload, Map.of())
                .containsKey(name);
    }
}
