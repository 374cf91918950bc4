package dev.perch.machines;

import dev.perch.model.Origin;
import dev.perch.yaml.YamlList;
import dev.perch.yaml.YamlMap;
import dev.perch.yaml.YamlNode;
import dev.perch.yaml.YamlScalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A map of a machine file in which every number has an {@link Origin}.
 *
 * <p>The key {@code origin} of a map holds for everything below it, unless something deeper has its own. A single value takes its own by
 * being written as {@code {value: 12, origin: "assumed: why"}}.
 */
final class Sourced {
    private static final String ORIGIN = "origin";
    private static final String VALUE = "value";

    private final YamlMap map;
    private final @Nullable Origin origin;
    private final boolean entry;
    private final Map<String, Origin> origins;

    private Sourced(YamlMap map, @Nullable Origin inherited, boolean entry, Map<String, Origin> origins) {
        this.map = map;
        this.entry = entry;
        this.origins = origins;
        origin = own(map).orElse(inherited);
    }

    /** @param origins receives path → origin for each value that is read, in reading order */
    static Sourced root(YamlMap map, Map<String, Origin> origins) {
        return new Sourced(map, null, false, origins);
    }

    private static Optional<Origin> own(YamlMap map) {
        return map.optional(ORIGIN).map(node -> parse(node.asScalar()));
    }

    private static Origin parse(YamlScalar scalar) {
        String text = scalar.string();
        int colon = text.indexOf(':');
        List<String> kinds = new ArrayList<>();
        for (Origin.Kind kind : Origin.Kind.values()) {
            String word = kind.name().toLowerCase(java.util.Locale.ROOT);
            kinds.add(word);
            if (colon >= 0 && text.substring(0, colon).strip().equals(word)) {
                String rest = text.substring(colon + 1).strip();
                if (!rest.isEmpty()) {
                    return new Origin(kind, rest);
                }
            }
        }
        throw scalar.error(
                scalar.path() + " '" + text + "' does not say where the number comes from",
                "; write one of " + String.join(", ", kinds) + ", a colon, and the source or the reason");
    }

    YamlMap map() {
        return map;
    }

    boolean has(String key) {
        return map.has(key);
    }

    /** A map below, whose values are recorded each by its own path. */
    Sourced section(String key) {
        return new Sourced(map.map(key), origin, false, origins);
    }

    /** A map below that is recorded as one; its values only if they have their own origin. */
    Sourced entry(String key) {
        return entry(map.map(key));
    }

    Sourced entry(YamlMap child) {
        Sourced result = new Sourced(child, origin, true, origins);
        record(child, result.origin);
        return result;
    }

    /** All keys but {@code origin}, in file order. */
    List<String> keys() {
        List<String> keys = new ArrayList<>(map.entries().keySet());
        keys.remove(ORIGIN);
        return keys;
    }

    YamlList list(String key) {
        return value(key).asList();
    }

    YamlScalar scalar(String key) {
        return value(key).asScalar();
    }

    /** The value of a key, taken out of its {@code {value, origin}} if it has one. */
    YamlNode value(String key) {
        YamlNode node = map.value(key);
        if (node instanceof YamlMap wrapper && wrapper.has(VALUE)) {
            YamlNode inner = wrapper.value(VALUE);
            Optional<Origin> own = own(wrapper);
            wrapper.refuseOthers();
            record(node, own.orElse(origin));
            return inner;
        }
        if (!entry) {
            record(node, origin);
        }
        return node;
    }

    private void record(YamlNode node, @Nullable Origin found) {
        if (found == null) {
            throw node.error(
                    "no origin for " + node.path(),
                    "; write origin: \"measured|published|calibrated|assumed: …\" into it or into the map around it");
        }
        origins.put(node.path(), found);
    }
}
