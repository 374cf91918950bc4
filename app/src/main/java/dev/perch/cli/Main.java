package dev.perch.cli;

import dev.perch.sim.Simulation;
import java.io.PrintStream;
import picocli.CommandLine;

/** Entry point of the command {@code perch}. */
public final class Main {
    private Main() {}

    /** @param args a verb and its arguments */
    public static void main(String[] args) {
        Surroundings surroundings =
                new Surroundings(Home::find, System.out, System.err, Terminal.isStandardError(), Simulation::run);
        int exitCode = run(surroundings, args);
        System.out.flush();
        System.exit(exitCode);
    }

    /**
     * Does what a command line says.
     *
     * @return 0 done, 1 could not be done, 2 wrong use or unusable input
     */
    static int run(Surroundings surroundings, String... args) {
        PrintStream out = surroundings.out();
        PrintStream err = surroundings.err();
        CommandLine line = new CommandLine(new PerchCommand(surroundings))
                .addSubcommand(new RunCommand(surroundings))
                .addSubcommand(new AuditCommand(surroundings))
                .addSubcommand(new ExplainCommand(surroundings))
                .addSubcommand(new VerifyCommand(surroundings))
                .addSubcommand(new ListCommand(surroundings))
                .addSubcommand(new ShowCommand(surroundings));
        line.setOut(new java.io.PrintWriter(out, true, out.charset()));
        line.setErr(new java.io.PrintWriter(err, true, err.charset()));
        line.setUsageHelpAutoWidth(false);
        line.setUsageHelpWidth(110);
        line.setParameterExceptionHandler((failure, arguments) -> {
            err.println("perch: " + UsageError.message(failure));
            return 2;
        });
        line.setExecutionExceptionHandler((failure, command, parsed) -> Failure.report(failure, debug(command), err));
        return line.execute(args);
    }

    private static boolean debug(CommandLine command) {
        CommandLine root = command;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        return root.getCommand() instanceof PerchCommand perch && perch.debug;
    }
}
