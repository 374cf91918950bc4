package dev.perch.kernel;

import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.List;

/**
 * A kernel expression taken apart, not yet compared with what there is:
 * {@code VERSION ('+' PATCH | '+' PATH)* (',' FEATURE | ',NO_' FEATURE | ',' TUNABLE '=' VALUE)*}.
 *
 * @param text as written
 * @param version the word before the first {@code +} or {@code ,}
 * @param patches the words after each {@code +}; a path begins with {@code ./} or {@code /}
 * @param settings the words after each {@code ,}
 */
record KernelExpression(String text, String version, List<String> patches, List<String> settings) {

    /**
     * @throws InputException if a part is empty, or two patches are paths
     */
    static KernelExpression parse(String text) {
        String[] parts = text.strip().split(",", -1);
        String[] names = parts[0].split("\\+", -1);
        List<String> patches = new ArrayList<>();
        for (int i = 1; i < names.length; i++) {
            if (isPath(names[i]) && patches.stream().anyMatch(KernelExpression::isPath)) {
                throw new InputException("kernel '" + text + "' names two policies of one's own; give one");
            }
            patches.add(part(names[i], text));
        }
        List<String> settings = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            settings.add(part(parts[i], text));
        }
        return new KernelExpression(text.strip(), part(names[0], text), patches, settings);
    }

    /** Whether a word after a {@code +} is the file of a policy of one's own, not a patch's name. */
    static boolean isPath(String patch) {
        return patch.startsWith("./") || patch.startsWith("/");
    }

    private static String part(String part, String text) {
        if (part.isBlank() || !part.equals(part.strip())) {
            throw new InputException(
                    "kernel '" + text
                            + "' has an empty part or blanks; write VERSION+PATCH,FEATURE,NO_FEATURE,TUNABLE=VALUE without blanks");
        }
        return part;
    }
}
