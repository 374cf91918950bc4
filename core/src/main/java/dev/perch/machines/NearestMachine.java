package dev.perch.machines;

import dev.perch.model.Distance;
import dev.perch.model.HardwareModel;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Which of the machines whose costs are known is most like one of which little was measured, so that its costs can stand in for those
 * that nobody measured.
 *
 * <p>The distance of two machines is the sum of |ln(a/b)| over the numbers that both have (line transfer within the last-level cache,
 * nominal clock), and {@value #OTHER_KIND}, as much as a factor of two, for each of: cores of two threads on one of them only; CPUs of
 * unequal speed on one of them only. Of machines that are equally near, the first by name is chosen.
 *
 * <p>Limitations: the instruction set is not known, nor the generation; a number that a machine lacks makes it no farther away. The
 * factor of two is a convention, not a measurement.
 */
public final class NearestMachine {
    /** ln 2. */
    private static final double OTHER_KIND = 0.6931471805599453;

    private NearestMachine() {}

    /**
     * What is known of the machine that is looked for.
     *
     * @param topology for threads and capacities
     * @param llcPs a line from another core of the last-level cache, picoseconds one way; above 0
     * @param nominalKhz the clock without turbo; above 0
     */
    public record Known(Topology topology, OptionalLong llcPs, OptionalInt nominalKhz) {}

    /**
     * The machine chosen.
     *
     * @param distance 0 or more, see above
     * @param sentence why it, with the numbers compared
     */
    public record Choice(Machine machine, double distance, String sentence) {}

    /**
     * The nearest of the machines under {@code home}.
     *
     * @throws InputException none of them has costs, or a file among them cannot be read
     */
    public static Choice of(Known known, Path home) {
        return among(
                known,
                Machines.list(home).stream()
                        .filter(entry -> entry.source().endsWith(".yaml"))
                        .map(entry -> Machines.find(entry.name(), home))
                        .toList());
    }

    /**
     * The nearest of these machines.
     *
     * @throws InputException none of them has costs
     */
    public static Choice among(Known known, List<Machine> machines) {
        return machines.stream()
                .filter(machine -> machine.model() != null)
                .map(machine -> compare(known, machine))
                .min(Comparator.comparingDouble(Choice::distance)
                        .thenComparing(choice -> choice.machine().name()))
                .orElseThrow(() -> new InputException(
                        "no machine with costs to compare with; perch list machines names those there are"));
    }

    private static Choice compare(Known known, Machine machine) {
        HardwareModel model = machine.requireModel();
        List<String> reasons = new ArrayList<>();
        double distance = 0;
        OptionalLong llcPs = llcPs(machine);
        if (known.llcPs.isPresent() && llcPs.isPresent()) {
            distance += ratio((double) known.llcPs.getAsLong(), (double) llcPs.getAsLong());
            reasons.add("a line within the LLC takes " + decimal(llcPs.getAsLong() / 1e3, 1) + " ns, here "
                    + decimal(known.llcPs.getAsLong() / 1e3, 1));
        }
        if (known.nominalKhz.isPresent()) {
            int khz = model.frequencies().nominalKhz();
            distance += ratio(known.nominalKhz.getAsInt(), khz);
            reasons.add("the nominal clock is " + decimal(khz / 1e6, 3) + " GHz, here "
                    + decimal(known.nominalKhz.getAsInt() / 1e6, 3));
        }
        boolean threads = machine.topology().hasSmt();
        boolean unequal = unequal(machine.topology(), model);
        distance += threads == known.topology.hasSmt() ? 0 : OTHER_KIND;
        distance += unequal == unequal(known.topology) ? 0 : OTHER_KIND;
        reasons.add(
                "cores have " + (threads ? "threads" : "one thread") + but(threads, known.topology.hasSmt(), "have"));
        reasons.add("CPUs are " + (unequal ? "unequal" : "equal") + but(unequal, unequal(known.topology), "are"));
        String sentence = "nearest is " + machine.name() + ", distance " + decimal(distance, 2) + ": "
                + String.join("; ", reasons);
        return new Choice(machine, distance, sentence);
    }

    private static String but(boolean there, boolean here, String verb) {
        return there == here ? ", as here" : ", but " + verb + " not here";
    }

    private static double ratio(double a, double b) {
        return Math.abs(StrictMath.log(a / b));
    }

    private static OptionalLong llcPs(Machine machine) {
        Topology topology = machine.topology();
        for (int a = 0; a < topology.cpuCount(); a++) {
            for (int b = a + 1; b < topology.cpuCount(); b++) {
                if (topology.distance(a, b) == Distance.LLC) {
                    return OptionalLong.of(machine.requireModel().transfer().latencyPs(Distance.LLC));
                }
            }
        }
        return OptionalLong.empty();
    }

    private static boolean unequal(Topology topology) {
        for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
            if (topology.capacity(cpu) != Topology.FULL_CAPACITY) {
                return true;
            }
        }
        return false;
    }

    private static boolean unequal(Topology topology, HardwareModel model) {
        for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
            if (model.speedMille(cpu) != HardwareModel.FULL_SPEED) {
                return true;
            }
        }
        return unequal(topology);
    }

    private static String decimal(double number, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", number);
    }
}
