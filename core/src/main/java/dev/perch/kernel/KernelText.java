package dev.perch.kernel;

import java.util.List;

/** A kernel in words. */
final class KernelText {
    private static final int WIDTH = 28;
    private static final int LINE = 118;

    private KernelText() {}

    /**
     * The rule sets with a line about each, what happens to a wakeup step by step, the features, the tunables, the notes, and the patches
     * that fit; a line break after every line.
     *
     * @param description of the version whose rules the kernel uses
     */
    static String describe(Kernel kernel, KernelDescription description) {
        StringBuilder text = new StringBuilder();
        text.append(kernel.name()).append(": ").append(description.title()).append('\n');
        text.append("source: ").append(description.source()).append('\n');
        for (String name : kernel.patches()) {
            KernelDescription.Patch patch = description.patches().get(name);
            if (patch != null) {
                text.append("patch ")
                        .append(name)
                        .append(": ")
                        .append(patch.title())
                        .append('\n');
                text.append("  source: ").append(patch.source()).append('\n');
            }
        }
        kernel.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
        text.append("\nrules\n");
        kernel.rules().ids().forEach((kind, id) -> {
            String lead = "  %-16s %-12s ".formatted(kind, id);
            wrap(text, lead, kernel.meaning(kind) + (kernel.isModelled(kind) ? "" : " (not modelled yet)"));
        });
        steps(kernel, text);
        text.append("\nfeatures\n");
        kernel.features().forEach((name, on) -> {
            String value = on ? "on" : "off";
            row(text, name, description.withoutEffect().contains(name) ? value + " (not part of the model)" : value);
        });
        text.append("\ntunables\n");
        description.tunables().keySet().forEach(name -> {
            Long value = kernel.tunables().get(name);
            row(text, name, value == null ? "computed at boot from the number of CPUs" : value.toString());
        });
        patches(kernel, description, text);
        return text.toString();
    }

    private static void steps(Kernel kernel, StringBuilder text) {
        text.append("\na wakeup, step by step\n");
        for (Kernel.Part part : kernel.wakeupSteps()) {
            text.append("  ").append(part.title()).append('\n');
            part.steps().forEach(step -> wrap(text, "    - ", step));
        }
    }

    /** Appends {@code words} behind {@code lead}, in lines of at most {@value #LINE} characters that are indented alike. */
    static void wrap(StringBuilder text, String lead, String words) {
        int width = LINE - lead.length();
        String indent = lead;
        String rest = words;
        while (rest.length() > width) {
            int blank = rest.lastIndexOf(' ', width);
            int end = blank > 0 ? blank : width;
            text.append(indent).append(rest, 0, end).append('\n');
            rest = rest.substring(end).stripLeading();
            indent = " ".repeat(lead.length());
        }
        text.append(indent).append(rest).append('\n');
    }

    private static void patches(Kernel kernel, KernelDescription description, StringBuilder text) {
        List<KernelDescription.Patch> others = description.patches().values().stream()
                .filter(patch -> !kernel.patches().contains(patch.name()))
                .toList();
        if (!others.isEmpty()) {
            text.append("\npatches that fit\n");
            others.forEach(patch -> row(text, "+" + patch.name(), patch.title()));
        }
    }

    static void row(StringBuilder text, String name, String value) {
        text.append("  ")
                .append(("%-" + WIDTH + "s").formatted(name))
                .append(' ')
                .append(value)
                .append('\n');
    }
}
