package dev.perch.kernel;

import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import dev.perch.yaml.YamlDocument;
import dev.perch.yaml.YamlMap;
import dev.perch.yaml.YamlNode;
import dev.perch.yaml.YamlScalar;
import java.nio.file.Path;
import java.util.EnumMap;
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
    private final String name;
    private final KernelVersion version;
    private final Optional<KernelVersion> base;

    /**
     * Reads a file named after its version.
     *
     * @throws InputException if it cannot be read, or its version is not that of its name
     */
    KernelFile(Path path) {
        root = YamlDocument.read(path);
        name = root.string("version");
        version = version(root, "version", name);
        String expected = name + ".yaml";
        if (!path.endsWith(expected)) {
            throw root.errorAt("version", "the file of version " + name + " must be named " + expected, "");
        }
        base = root.optionalString("base").map(text -> version(root, "base", text));
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
     * The whole description. Title, source and notes are a version's own, as are patches that fit no other; everything else is the base's
     * unless this file says otherwise.
     *
     * @param from the base's description, empty if there is no base
     * @throws InputException unknown keys or rule sets, missing parts; with the line
     */
    KernelDescription describe(Optional<KernelDescription> from) {
        Map<RuleKind, String> rules = new EnumMap<>(RuleKind.class);
        from.ifPresent(base -> rules.putAll(base.rules()));
        root.optionalMap("rules").ifPresent(map -> rules.putAll(rules(map)));
        for (RuleKind kind : RuleKind.values()) {
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
                .ifPresent(list ->
                        list.forEach(item -> withoutEffect.remove(remove(item.asScalar(), "feature", features))));
        Map<String, KernelDescription.Tunable> tunables =
                new LinkedHashMap<>(from.map(KernelDescription::tunables).orElse(Map.of()));
        root.optionalMap("tunables").ifPresent(map -> tunables.putAll(tunables(map)));
        root.optionalList("tunables-removed")
                .ifPresent(list -> list.forEach(item -> remove(item.asScalar(), "tunable", tunables)));
        Map<String, KernelDescription.Patch> patches = new LinkedHashMap<>();
        from.ifPresent(older -> older.patches().values().stream()
                .filter(patch -> patch.fits().inheritedBy(version))
                .forEach(patch -> patches.put(patch.name(), patch)));
        root.optionalMap("patches").ifPresent(map -> patches.putAll(patches(map, name)));
        KernelDescription description = new KernelDescription(
                name,
                version,
                root.string("title"),
                root.string("source"),
                notes(root),
                rules,
                features,
                withoutEffect,
                tunables,
                patches);
        root.refuseOthers();
        return description;
    }

    private static String remove(YamlScalar item, String what, Map<String, ?> from) {
        String name = item.string();
        if (from.remove(name) == null) {
            throw item.error(what + " '" + name + "' is not there to be removed", Nearest.hint(name, from.keySet()));
        }
        return name;
    }

    private static List<String> notes(YamlMap map) {
        return map.optionalString("note").map(List::of).orElse(List.of());
    }

    private static Map<RuleKind, String> rules(YamlMap map) {
        Map<RuleKind, String> rules = new EnumMap<>(RuleKind.class);
        for (RuleKind kind : RuleKind.values()) {
            map.optional(kind.key()).ifPresent(value -> {
                String id = value.asScalar().string();
                if (!RuleCatalogue.has(kind, id)) {
                    throw value.error(
                            "there are no " + kind + " rules '" + id + "'", Nearest.hint(id, RuleCatalogue.ids(kind)));
                }
                rules.put(kind, id);
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

    private static Map<String, KernelDescription.Patch> patches(YamlMap map, String version) {
        Map<String, KernelDescription.Patch> patches = new LinkedHashMap<>();
        map.entries().forEach((name, value) -> {
            checkName(name, value);
            YamlMap patch = value.asMap();
            patches.put(
                    name,
                    new KernelDescription.Patch(
                            name,
                            version,
                            patch.string("title"),
                            patch.string("source"),
                            notes(patch),
                            patch.optionalMap("rules").map(KernelFile::rules).orElse(Map.of()),
                            patch.optionalMap("features")
                                    .map(KernelFile::features)
                                    .orElse(Map.of()),
                            fits(patch)));
            patch.refuseOthers();
        });
        return patches;
    }

    private static KernelDescription.Fits fits(YamlMap patch) {
        Optional<String> through = patch.optionalString("through");
        if (through.isEmpty()) {
            return new KernelDescription.Fits.Itself();
        }
        if (through.get().equals("all")) {
            return new KernelDescription.Fits.AllLater();
        }
        return new KernelDescription.Fits.Through(version(patch, "through", through.get()));
    }

    private static KernelVersion version(YamlMap map, String key, String text) {
        KernelVersion version = KernelVersion.tryParse(text);
        if (version == null) {
            throw map.errorAt(key, "'" + text + "' is not a kernel version", "; write it as v3.2, v3.2.7 or v3.2-rc1");
        }
        return version;
    }

    private static void checkName(String name, YamlNode value) {
        if (!PATCH_OR_TUNABLE.matcher(name).matches()) {
            throw value.error(
                    "'" + name + "' cannot be written in a kernel expression",
                    "; use small letters, digits, '-' and '_', beginning with a letter");
        }
    }
}
