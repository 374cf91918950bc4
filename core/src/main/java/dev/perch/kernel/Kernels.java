package dev.perch.kernel;

import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The kernels there are, and what a kernel expression stands for. */
public final class Kernels {
    private final NavigableMap<KernelVersion, KernelDescription> known;

    private Kernels(NavigableMap<KernelVersion, KernelDescription> known) {
        this.known = known;
    }

    /**
     * The kernel that an expression such as {@code v3.2-rc1+mikie2,SIBLING_LIMIT_SYNC,NO_TTWU_QUEUE} stands for.
     *
     * <p>A version between two known ones takes the older one's rules; the kernel's notes say so.
     *
     * @param home the folder that holds {@code kernels}
     * @throws InputException an unknown version, patch, feature or tunable; a patch that does not fit; a value out of range; a kernel
     *     file that is not usable
     */
    public static Kernel resolve(String expression, Path home) {
        Kernels kernels = read(home);
        KernelExpression parsed = KernelExpression.parse(expression);
        return kernels.resolve(parsed, kernels.descriptionFor(parsed));
    }

    /**
     * The kernel of an expression in words, for {@code perch show kernel}: its rules, features, tunables and notes, and which patches fit.
     *
     * @throws InputException as {@link #resolve}
     */
    public static String show(String expression, Path home) {
        Kernels kernels = read(home);
        KernelExpression parsed = KernelExpression.parse(expression);
        KernelDescription description = kernels.descriptionFor(parsed);
        return KernelText.describe(kernels.resolve(parsed, description), description);
    }

    /**
     * Every kernel described under {@code home/kernels}, oldest first.
     *
     * @throws InputException if a file is not usable
     */
    public static List<KernelDescription> list(Path home) {
        return List.copyOf(read(home).known.values());
    }

    private static Kernels read(Path home) {
        NavigableMap<KernelVersion, KernelFile> files = new TreeMap<>();
        Path folder = home.resolve("kernels");
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder, "*.yaml")) {
            for (Path path : paths) {
                KernelFile file = new KernelFile(path);
                files.put(file.version(), file);
            }
        } catch (IOException e) {
            throw new InputException("the folder of kernel files " + folder + " cannot be read: " + e.getMessage(), e);
        }
        if (files.isEmpty()) {
            throw new InputException("there are no kernel files in " + folder);
        }
        NavigableMap<KernelVersion, KernelDescription> known = new TreeMap<>();
        files.forEach((version, file) ->
                known.put(version, file.describe(file.base().map(base -> {
                    KernelDescription description = known.get(base);
                    if (description == null) {
                        throw file.baseError("base " + base + " is not an older version with a file of its own");
                    }
                    return description;
                }))));
        return new Kernels(known);
    }

    private List<String> names() {
        return known.keySet().stream().map(KernelVersion::toString).toList();
    }

    private KernelDescription descriptionFor(KernelExpression expression) {
        if (expression.version().equals("host")) {
            throw new InputException("the kernel of this host cannot be taken yet; name a version, the newest known is "
                    + known.lastKey());
        }
        KernelVersion version = KernelVersion.tryParse(expression.version());
        if (version == null) {
            throw new InputException("'" + expression.version() + "' is not a kernel version"
                    + Nearest.hint(expression.version(), names()));
        }
        Map.Entry<KernelVersion, KernelDescription> nearest = known.floorEntry(version);
        if (nearest == null) {
            throw new InputException("kernel " + version + " is older than the oldest known, " + known.firstKey());
        }
        KernelVersion newest = known.lastKey();
        if (version.compareTo(newest) > 0 && (version.major() != newest.major() || version.minor() != newest.minor())) {
            throw new InputException("kernel " + version + " is not modelled yet; newest known " + newest);
        }
        return nearest.getValue();
    }

    private Kernel resolve(KernelExpression expression, KernelDescription description) {
        KernelVersion asked = KernelVersion.parse(expression.version());
        List<String> notes = new ArrayList<>();
        if (!asked.equals(description.version())) {
            notes.add(asked + " has no file of its own and takes the rules of " + description.version());
        }
        notes.addAll(description.notes());
        Map<String, String> rules = new LinkedHashMap<>(description.rules());
        Map<String, Boolean> features = new TreeMap<>(description.features());
        Map<String, String> changedBy = new LinkedHashMap<>();
        for (String name : expression.patches()) {
            KernelDescription.Patch patch = patch(name, description);
            patch.rules().keySet().forEach(kind -> {
                String other = changedBy.put(kind, name);
                if (other != null) {
                    throw new InputException(
                            "patches '" + other + "' and '" + name + "' both change " + kind + "; apply one of them");
                }
            });
            rules.putAll(patch.rules());
            features.putAll(patch.features());
            notes.addAll(patch.notes());
        }
        KernelSettings settings = new KernelSettings(description, features);
        expression.settings().forEach(settings::apply);
        notes.addAll(settings.notes());
        return new Kernel(
                expression.text(),
                description.version()
                        + String.join(
                                "",
                                expression.patches().stream().map(p -> "+" + p).toList())
                        + settings.difference(),
                description.version(),
                expression.patches(),
                Kernel.RuleSets.of(rules),
                settings.features(),
                settings.tunables(),
                notes);
    }

    private KernelDescription.Patch patch(String name, KernelDescription description) {
        KernelDescription.Patch patch = description.patches().get(name);
        if (patch != null) {
            return patch;
        }
        List<String> fits = known.values().stream()
                .filter(other -> other.patches().containsKey(name))
                .map(other -> other.version().toString())
                .toList();
        if (!fits.isEmpty()) {
            throw new InputException("patch '" + name + "' does not fit " + description.version() + "; it fits "
                    + String.join(", ", fits));
        }
        List<String> all = known.values().stream()
                .flatMap(other -> other.patches().keySet().stream())
                .distinct()
                .toList();
        throw new InputException("there is no kernel patch '" + name + "'" + Nearest.hint(name, all));
    }
}
