package dev.perch.cli;

import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perch man}: the manual pages, made from the commands themselves. */
@Command(
        name = "man",
        description = "Print the manual page of perch or of a verb, or write all of them into a folder.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        footer = {
            "",
            "Examples: perch man audit | man -l -",
            "          perch man --output ~/.local/share/man/man1"
        })
final class ManCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(arity = "0..1", paramLabel = "VERB", description = "The verb; perch itself if left out.")
    private @Nullable String verb;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FOLDER",
            description = "Write all pages into this folder, perch.1, perch-audit.1 and so on, and make it if it is not there.")
    private @Nullable Path folder;

    ManCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Map<String, CommandLine> commands = new TreeMap<>();
        CommandLine perch = Main.commandLine(surroundings);
        perch.getSubcommands().forEach(commands::put);
        if (folder != null) {
            if (verb != null) {
                throw new InputException("--output writes the pages of all verbs; leave out '" + verb + "'");
            }
            write(folder, perch, commands);
            return 0;
        }
        CommandLine command = verb == null ? perch : commands.get(verb);
        if (command == null) {
            throw new InputException("there is no verb '" + verb + "'; perch --help lists them");
        }
        surroundings.out().print(ManPage.of(command.getCommandSpec(), commands.keySet()));
        return 0;
    }

    private static void write(Path folder, CommandLine perch, Map<String, CommandLine> commands) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("perch.1"), ManPage.of(perch.getCommandSpec(), commands.keySet()));
            for (Map.Entry<String, CommandLine> command : commands.entrySet()) {
                Files.writeString(
                        folder.resolve("perch-" + command.getKey() + ".1"),
                        ManPage.of(command.getValue().getCommandSpec(), commands.keySet()));
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot write manual pages into " + folder + ": " + e.getMessage(), e);
        }
    }
}
