package dev.perch.cli;

import dev.perch.model.Nearest;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, in one line. */
final class UsageError {
    private UsageError() {}

    static String message(ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        String help = "; " + command.getCommandSpec().qualifiedName() + " --help shows how";
        if (failure instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched.getUnmatched().getFirst(), command) + help;
        }
        if (failure instanceof MissingParameterException missing
                && !missing.getMissing().isEmpty()) {
            return "missing " + missing.getMissing().getFirst().paramLabel() + help;
        }
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("wrong use") + help;
    }

    private static String unmatched(String argument, CommandLine command) {
        if (argument.startsWith("-") && argument.length() > 1) {
            List<String> options = new ArrayList<>();
            command.getCommandSpec().options().forEach(option -> options.add(option.longestName()));
            String name = argument.contains("=") ? argument.substring(0, argument.indexOf('=')) : argument;
            String near = Nearest.of(name, options);
            return "unknown option '" + name + "'" + (near.isEmpty() ? "" : "; did you mean '" + near + "'?");
        }
        if (!command.getSubcommands().isEmpty()) {
            return "unknown verb '" + argument + "'"
                    + Nearest.hint(
                            argument, List.copyOf(command.getSubcommands().keySet()));
        }
        return "'" + argument + "' is one argument too many";
    }
}
