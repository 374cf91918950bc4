package dev.perch.kernel;

import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The kernels there are, and what a kernel expression stands for. */
public final class Kernels {
    private final KernelFiles files;

    private Kernels(Path home) {
        files = new KernelFiles(home.resolve("kernels"));
    }

    /**
     * The kernel that an expression such as {@code v3.2-rc1+mikie2,SIBLING_LIMIT_SYNC,NO_TTWU_QUEUE} stands for.
     *
     * <p>{@code v6.1} is the newest point release of 6.1 that is known. A version between two known ones takes the older one's rules; the
     * kernel's notes say so.
     *
     * @param home the folder that holds {@code kernels}
     * @throws InputException an unknown version, patch, feature or tunable; a patch that does not fit; a value out of range; a kernel
     *     file that is not usable
     */
    public static Kernel resolve(String expression, Path home) {
        return new Kernels(home).find(expression).kernel;
    }

    /**
     * The kernel of an expression in words, for {@code perch show kernel}: its rules step by step, features, tunables and notes, and
     * which patches fit.
     *
     * @throws InputException as {@link #resolve}
     */
    public static String show(String expression, Path home) {
        Found found = new Kernels(home).find(expression);
        return KernelText.describe(found.kernel, found.description);
    }

    /**
     * What differs between two kernels.
     *
     * @throws InputException as {@link #resolve}
     */
    public static KernelDifference difference(String from, String to, Path home) {
        Kernels kernels = new Kernels(home);
        Found first = kernels.find(from);
        Found second = kernels.find(to);
        return KernelDifference.between(
                first.kernel,
                first.description.tunables().keySet(),
                second.kernel,
                second.description.tunables().keySet());
    }

    /**
     * Every kernel described under {@code home/kernels}, oldest first.
     *
     * @throws InputException if a file is not usable
     */
    public static List<KernelDescription> list(Path home) {
        return new Kernels(home).files.all();
    }

    private record Found(Kernel kernel, KernelDescription description) {}

    private Found find(String text) {
        KernelExpression expression = KernelExpression.parse(text);
        String asked = expression.version().equals("host") ? HostKernel.version() : expression.version();
        KernelNames.Choice choice = new KernelNames(files.names()).choose(asked);
        KernelDescription description = files.describe(choice.version());
        List<String> notes = new ArrayList<>(choice.notes());
        return new Found(resolve(expression, description, notes), description);
    }

    private Kernel resolve(KernelExpression expression, KernelDescription description, List<String> notes) {
        notes.addAll(description.notes());
        Map<RuleKind, String> rules = new EnumMap<>(description.rules());
        Map<String, Boolean> features = new TreeMap<>(description.features());
        Map<Object, String> changedBy = new LinkedHashMap<>();
        for (String name : expression.patches()) {
            if (KernelExpression.isPath(name)) {
                if (!Files.isRegularFile(Path.of(name))) {
                    throw new InputException("policy " + name
                            + " is not a file that can be read; name a .java file, from " + "where you are");
                }
                continue; // what it says is a class, which placement loads
            }
            KernelDescription.Patch patch = patch(name, description);
            patch.rules().keySet().forEach(kind -> once(changedBy, kind, name));
            patch.features().keySet().forEach(feature -> once(changedBy, feature, name));
            rules.putAll(patch.rules());
            features.putAll(patch.features());
            notes.addAll(patch.notes());
        }
        KernelSettings settings = new KernelSettings(description, features);
        expression.settings().forEach(settings::apply);
        notes.addAll(settings.notes());
        String patches = String.join(
                "", expression.patches().stream().map(name -> "+" + name).toList());
        return new Kernel(
                expression.text(),
                description.name() + patches + settings.difference(),
                description.version(),
                expression.patches(),
                new RuleSets(rules),
                settings.features(),
                settings.tunables(),
                notes);
    }

    private static void once(Map<Object, String> changedBy, Object what, String patch) {
        String other = changedBy.put(what, patch);
        if (other != null) {
            throw new InputException(
                    "patches '" + other + "' and '" + patch + "' both change " + what + "; apply one of them");
        }
    }

    private KernelDescription.Patch patch(String name, KernelDescription description) {
        KernelDescription.Patch patch = description.patches().get(name);
        if (patch != null) {
            return patch;
        }
        List<KernelDescription> known = files.all();
        List<String> fits = known.stream()
                .filter(other -> other.patches().containsKey(name))
                .map(KernelDescription::name)
                .toList();
        if (!fits.isEmpty()) {
            throw new InputException(
                    "patch '" + name + "' does not fit " + description.name() + "; it fits " + String.join(", ", fits));
        }
        List<String> all = known.stream()
                .flatMap(other -> other.patches().keySet().stream())
                .distinct()
                .toList();
        throw new InputException("there is no kernel patch '" + name + "'" + Nearest.hint(name, all));
    }
}
