package dev.perch.kernel;

import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import dev.perch.yaml.YamlDocument;
import dev.perch.yaml.YamlMap;
import dev.perch.yaml.YamlNode;
import dev.perch.yaml.YamlScalar;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads one file of {@code kernels/}: what it says itself, and, on top of its base version, the whole {@link KernelDescription}.
 * docs/kernel-file.md describes the format.
 */
final class KernelFile {
    private static final Pattern FEATURE = Pattern.compile("[A-Z][A-Z0-9_]*");
    private static final Pattern PATCH_OR_TUNABLE = Pattern.compile("[a-z][a-z0-9_-]*");

    private final YamlMap root;
    private final KernelVersion version;
    private final Optional<KernelVersion> base;

    /**
     * Reads a file named after its version.
     *
     * @throws InputException if it cannot be read, or its version is not that of its name
     */
    KernelFile(Path path) {
        root = YamlDocument.read(path);
        version = KernelVersion.parse(root.string("version"));
        String expected = version + ".yaml";
        if (!path.endsWith(expected)) {
            throw root.errorAt("version", "the file of version " + version + " must be named " + expected, "");
        }
        base = root.optionalString("base").map(KernelVersion::parse);
    }

    KernelVersion version() {
        return version;
    }

    /** The version whose description this one changes, if it does not stand alone. */
    Optional<KernelVersion> base() {
        return base;
    }

    /** An error about the key {@code base}. */
    InputException baseError(String problem) {
        return root.errorAt("base", problem, "");
    }

    /**
     * The whole description. Patches and notes are a version's own; everything else is the base's unless this file says otherwise.
     *
     * @param from the base's description, empty if there is no base
     * @throws InputException unknown keys or rule sets, missing parts; with the line
     */
    KernelDescription describe(Optional<KernelDescription> from) {
        Map<String, String> rules =
                new LinkedHashMap<>(from.map(KernelDescription::rules).orElse(Map.of()));
        root.optionalMap("rules").ifPresent(map -> rules.putAll(rules(map)));
        for (String kind : RuleCatalogue.KINDS) {
            if (!rules.containsKey(kind)) {
                throw root.error("no " + kind + " rules", "; name them under 'rules', or a 'base' version that does");
            }
        }
        Map<String, Boolean> features =
                new LinkedHashMap<>(from.map(KernelDescription::features).orElse(Map.of()));
        Set<String> withoutEffect =
                new LinkedHashSet<>(from.map(KernelDescription::withoutEffect).orElse(Set.of()));
        root.optionalMap("features").ifPresent(map -> {
            Map<String, Boolean> own = features(map);
            features.putAll(own);
            withoutEffect.removeAll(own.keySet());
        });
        root.optionalMap("features-without-effect").ifPresent(map -> {
            Map<String, Boolean> own = features(map);
            features.putAll(own);
            withoutEffect.addAll(own.keySet());
        });
        root.optionalList("features-removed")
                .ifPresent(list -> list.forEach(item -> {
                    String name = item.asScalar().string();
                    if (features.remove(name) == null) {
                        throw item.error(
                                "feature '" + name + "' is not there to be removed",
                                Nearest.hint(name, features.keySet()));
                    }
                    withoutEffect.remove(name);
                }));
        Map<String, KernelDescription.Tunable> tunables =
                new LinkedHashMap<>(from.map(KernelDescription::tunables).orElse(Map.of()));
        root.optionalMap("tunables").ifPresent(map -> tunables.putAll(tunables(map)));
        KernelDescription description = new KernelDescription(
                version,
                root.string("title"),
                root.string("source"),
                notes(root),
                rules,
                features,
                withoutEffect,
                tunables,
                root.optionalMap("patches").map(KernelFile::patches).orElse(Map.of()));
        root.refuseOthers();
        return description;
    }

    private static List<String> notes(YamlMap map) {
        return map.optionalString("note").map(List::of).orElse(List.of());
    }

    private static Map<String, String> rules(YamlMap map) {
        Map<String, String> rules = new LinkedHashMap<>();
        for (String kind : RuleCatalogue.KINDS) {
            map.optional(kind).ifPresent(value -> {
                String name = value.asScalar().string();
                if (RuleCatalogue.text(kind, name).isEmpty()) {
                    throw value.error(
                            "there are no " + kind + " rules '" + name + "'",
                            Nearest.hint(name, RuleCatalogue.names(kind)));
                }
                rules.put(kind, name);
            });
        }
        map.refuseOthers();
        return rules;
    }

    private static Map<String, Boolean> features(YamlMap map) {
        Map<String, Boolean> features = new LinkedHashMap<>();
        map.entries().forEach((name, value) -> {
            if (!FEATURE.matcher(name).matches() || name.startsWith("NO_")) {
                throw value.error(
                        "'" + name + "' cannot be a feature's name", "; write capitals, without NO_, as in TTWU_QUEUE");
            }
            features.put(name, value.asScalar().bool());
        });
        return features;
    }

    private static Map<String, KernelDescription.Tunable> tunables(YamlMap map) {
        Map<String, KernelDescription.Tunable> tunables = new LinkedHashMap<>();
        map.entries().forEach((name, value) -> {
            checkName(name, value);
            YamlMap tunable = value.asMap();
            long min = bound(tunable, "min");
            long max = bound(tunable, "max");
            YamlScalar given = tunable.value("value").asScalar();
            OptionalLong standard = given.string().equals("scaled")
                    ? OptionalLong.empty()
                    : OptionalLong.of(given.longInteger(min, max));
            tunable.refuseOthers();
            tunables.put(name, new KernelDescription.Tunable(standard, min, max));
        });
        return tunables;
    }

    private static long bound(YamlMap tunable, String key) {
        return tunable.value(key).asScalar().longInteger(-1, Long.MAX_VALUE);
    }

    private static Map<String, KernelDescription.Patch> patches(YamlMap map) {
        Map<String, KernelDescription.Patch> patches = new LinkedHashMap<>();
        map.entries().forEach((name, value) -> {
            checkName(name, value);
            YamlMap patch = value.asMap();
            patches.put(
                    name,
                    new KernelDescription.Patch(
                            name,
                            patch.string("title"),
                            patch.string("source"),
                            notes(patch),
                            patch.optionalMap("rules").map(KernelFile::rules).orElse(Map.of()),
                            patch.optionalMap("features")
                                    .map(KernelFile::features)
                                    .orElse(Map.of())));
            patch.refuseOthers();
        });
        return patches;
    }

    private static void checkName(String name, YamlNode value) {
        if (!PATCH_OR_TUNABLE.matcher(name).matches()) {
            throw value.error(
                    "'" + name + "' cannot be written in a kernel expression",
                    "; use small letters, digits, '-' and '_', beginning with a letter");
        }
    }
}
