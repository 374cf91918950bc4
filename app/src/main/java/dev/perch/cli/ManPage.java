package dev.perch.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * One manual page in the man macros of roff, from what picocli knows of a command: its synopsis, description, arguments, options and the
 * footer, which has the examples.
 *
 * <p>picocli's own generator makes AsciiDoc, which another program would have to turn into pages; these are pages. Source: groff_man(7).
 */
final class ManPage {
    private final StringBuilder page = new StringBuilder();

    private ManPage() {}

    /**
     * The page.
     *
     * @param command perch or one of its verbs
     * @param verbs names of all verbs, for the references
     */
    static String of(CommandSpec command, Collection<String> verbs) {
        ManPage page = new ManPage();
        page.write(command, verbs);
        return page.page.toString();
    }

    private void write(CommandSpec command, Collection<String> verbs) {
        boolean isVerb = command.parent() != null;
        String name = isVerb ? "perch-" + command.name() : "perch";
        String version = PerchCommand.Version.text();
        line(".TH " + name.toUpperCase(Locale.ROOT).replace("-", "\\-") + " 1 \"\" \"" + escaped("perch " + version) + "\" \"Perch\"");
        section("NAME");
        line(escaped(name) + " \\- " + escaped(String.join(" ", summary(command))));
        section("SYNOPSIS");
        line(".nf");
        text(new Help(command, Help.Ansi.OFF).synopsis(0));
        line(".fi");
        section("DESCRIPTION");
        for (String paragraph : command.usageMessage().description()) {
            text(paragraph);
        }
        positionals(command);
        options(command);
        if (!isVerb) {
            section("VERBS");
            command.subcommands().forEach((verb, line) -> {
                line(".TP");
                line(".BR perch\\-" + escaped(verb) + " (1)");
                text(String.join(" ", line.getCommandSpec().usageMessage().description()));
            });
        }
        footer(command);
        section("EXIT STATUS");
        text("0 done, 1 could not be done, 2 wrong use or unusable input.");
        section("SEE ALSO");
        List<String> others = new ArrayList<>(isVerb ? List.of(".BR perch (1)") : List.of());
        verbs.stream().filter(verb -> isVerb && !verb.equals(command.name())).forEach(verb -> others.add(
                ".BR perch\\-" + escaped(verb) + " (1)"));
        line(String.join(" ,\n", others));
    }

    private static String[] summary(CommandSpec command) {
        return command.usageMessage().description();
    }

    private void positionals(CommandSpec command) {
        List<PositionalParamSpec> shown = command.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .toList();
        if (!shown.isEmpty()) {
            section("ARGUMENTS");
            shown.forEach(parameter -> item("\\fI" + escaped(parameter.paramLabel()) + "\\fR", parameter));
        }
    }

    private void options(CommandSpec command) {
        section("OPTIONS");
        for (OptionSpec option : command.options()) {
            if (!option.hidden()) {
                List<String> names = new ArrayList<>();
                for (String name : option.names()) {
                    names.add("\\fB" + escaped(name) + "\\fR");
                }
                String value = option.arity().max() == 0 ? "" : "=\\fI" + escaped(option.paramLabel()) + "\\fR";
                item(String.join(", ", names) + value, option);
            }
        }
    }

    private void item(String head, ArgSpec argument) {
        line(".TP");
        line(head);
        for (String paragraph : argument.renderedDescription()) {
            text(paragraph);
        }
    }

    /** The footer's lines as they stand, since it aligns examples under each other. */
    private void footer(CommandSpec command) {
        String[] lines = command.usageMessage().footer();
        if (lines.length == 0) {
            return;
        }
        section("EXAMPLES AND NOTES");
        line(".nf");
        for (String line : lines) {
            text(line);
        }
        line(".fi");
    }

    private void section(String title) {
        line(".SH " + title);
    }

    private void text(String lines) {
        for (String each : lines.stripTrailing().split("\\R")) {
            String line = escaped(each);
            // A dot or an apostrophe at the beginning would be a request; an empty line is a paragraph of its own.
            if (line.startsWith(".") || line.startsWith("'")) {
                line = "\\&" + line;
            }
            line(line.isBlank() ? ".sp" : line);
        }
    }

    private void line(String line) {
        page.append(line).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
    }
}
