package dev.perch.kernel;

import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Feature bits and tunables of one kernel while the settings of an expression are applied to it. */
final class KernelSettings {
    private final KernelDescription description;
    private final Map<String, Boolean> released;
    private final Map<String, Boolean> features;
    private final Map<String, Long> tunables = new TreeMap<>();
    private final TreeSet<String> set = new TreeSet<>();
    private final List<String> notes = new ArrayList<>();

    /** @param features those of the version and its patches, with their defaults */
    KernelSettings(KernelDescription description, Map<String, Boolean> features) {
        this.description = description;
        released = Map.copyOf(features);
        this.features = new TreeMap<>(features);
        description
                .tunables()
                .forEach((name, tunable) -> tunable.value().ifPresent(value -> tunables.put(name, value)));
    }

    /**
     * Applies {@code FEATURE}, {@code NO_FEATURE} or {@code TUNABLE=VALUE}.
     *
     * @throws InputException if the kernel has no such thing, the value is out of range, or it was set before
     */
    void apply(String setting) {
        int equals = setting.indexOf('=');
        if (equals >= 0) {
            tune(setting.substring(0, equals), setting.substring(equals + 1));
        } else {
            boolean on = !setting.startsWith("NO_");
            switchFeature(on ? setting : setting.substring("NO_".length()), on);
        }
    }

    private void switchFeature(String name, boolean on) {
        if (!features.containsKey(name)) {
            throw new InputException("kernel " + description.name() + " has no feature '" + name + "'"
                    + Nearest.hint(name, features.keySet()));
        }
        once(name);
        features.put(name, on);
        if (description.withoutEffect().contains(name)) {
            notes.add("feature " + name + " is not part of the model; setting it changes nothing");
        }
    }

    private void tune(String name, String text) {
        KernelDescription.Tunable tunable = description.tunables().get(name);
        if (tunable == null) {
            throw new InputException("kernel " + description.name() + " has no tunable '" + name + "'"
                    + Nearest.hint(name, description.tunables().keySet()));
        }
        once(name);
        if (!text.matches("-?[0-9]{1,18}")) {
            throw new InputException("tunable " + name + " needs a whole number, not '" + text + "'");
        }
        long value = Long.parseLong(text);
        if (value < tunable.min() || value > tunable.max()) {
            throw new InputException("tunable " + name + " cannot be " + value + "; the kernel takes " + tunable.min()
                    + " to " + tunable.max());
        }
        tunables.put(name, value);
    }

    private void once(String name) {
        if (!set.add(name)) {
            throw new InputException("'" + name + "' is set twice; give it once");
        }
    }

    Map<String, Boolean> features() {
        return features;
    }

    /** The tunables that have a value; those that the kernel computes at boot are missing unless they were set. */
    Map<String, Long> tunables() {
        return tunables;
    }

    List<String> notes() {
        return notes;
    }

    /** What differs from the defaults, in the expression grammar, beginning with a comma; empty if nothing does. */
    String difference() {
        StringBuilder text = new StringBuilder();
        features.forEach((name, on) -> {
            if (!on.equals(released.get(name))) {
                text.append(on ? "," : ",NO_").append(name);
            }
        });
        tunables.forEach((name, value) -> {
            KernelDescription.Tunable tunable = description.tunables().get(name);
            if (tunable != null && (tunable.value().isEmpty() || tunable.value().getAsLong() != value)) {
                text.append(',').append(name).append('=').append(value);
            }
        });
        return text.toString();
    }
}
