package dev.perch.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code perch completion}: the script by which a shell completes verbs and options, made from the commands themselves. */
@Command(
        name = "completion",
        description = "Print the script by which bash or zsh completes verbs, options and names.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        footer = {
            "",
            "Examples: source <(perch completion)     in ~/.bashrc; in ~/.zshrc after autoload -U +X bashcompinit && bashcompinit",
            "          perch completion > /etc/bash_completion.d/perch"
        })
final class CompletionCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    CompletionCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        surroundings.out().print(AutoComplete.bash("perch", Main.commandLine(surroundings)));
        return 0;
    }
}
