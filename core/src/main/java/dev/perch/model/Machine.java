package dev.perch.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A machine: its topology and, if it can be simulated, what things cost on it. Immutable; checked when it is made.
 *
 * @param name as given by the user or the file, such as {@code e5620}
 * @param title one line for people
 * @param source where the description was read: a file, {@code /sys}
 * @param topology who shares what
 * @param caches all caches, each once; empty if the source does not tell
 * @param model costs, clocks and idle states; null for a source that knows only the topology
 * @param origins path in the description ({@code costs.enqueue}) to where the number comes from, in file order
 */
public record Machine(
        String name,
        String title,
        String source,
        Topology topology,
        List<Cache> caches,
        @Nullable HardwareModel model,
        Map<String, Origin> origins) {

    public Machine {
        caches = List.copyOf(caches);
        origins = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(origins));
    }

    /**
     * The costs and states of this machine.
     *
     * @throws InputException if its source knows only the topology
     */
    public HardwareModel requireModel() {
        if (model == null) {
            throw new InputException(
                    "machine '" + name + "' (" + source
                            + ") has a topology but no costs, so it cannot be simulated; name a machine file (perch list machines)");
        }
        return model;
    }

    /** The same machine with another model; for calibration. */
    public Machine with(HardwareModel changed) {
        return new Machine(name, title, source, topology, caches, changed, origins);
    }

    /** The same machine whose numbers come from elsewhere. */
    public Machine withOrigins(Map<String, Origin> changed) {
        return new Machine(name, title, source, topology, caches, model, changed);
    }
}
