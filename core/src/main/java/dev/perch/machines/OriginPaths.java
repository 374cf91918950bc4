package dev.perch.machines;

import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The origins of a machine's numbers by their path in a machine file, each found at its own path or at the nearest one above it. */
final class OriginPaths {
    private final String machine;
    private final Map<String, Origin> origins = new LinkedHashMap<>();

    OriginPaths(Machine machine) {
        this.machine = machine.name();
        machine.origins()
                .forEach((path, origin) ->
                        origins.put(path.replaceFirst("^(idle\\.states|caches\\.list)\\.([0-9]+)", "$1[$2]"), origin));
    }

    /** The origin at exactly this path. */
    Optional<Origin> at(String path) {
        return Optional.ofNullable(origins.get(path));
    }

    /** The origin that holds at this path. */
    Optional<Origin> holdingAt(String path) {
        String at = path;
        while (!origins.containsKey(at)) {
            int cut = Math.max(at.lastIndexOf('.'), at.lastIndexOf('['));
            if (cut < 0) {
                return Optional.empty();
            }
            at = at.substring(0, cut);
        }
        return at(at);
    }

    /** The origin that holds at this path; a machine without one is refused, as its file would be. */
    Origin require(String path) {
        return holdingAt(path)
                .orElseThrow(() ->
                        new InputException("machine '" + machine + "' cannot be written as a file: nothing says where "
                                + path + " comes from; give it, or a path above it, an origin"));
    }
}
