package dev.perch.cli;

import dev.perch.sim.Simulation;
import dev.perch.store.Store;
import java.io.PrintStream;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** Entry point of the command {@code perch}. */
public final class Main {
    private static final Map<String, Function<Surroundings, Object>> VERBS = new LinkedHashMap<>();

    static {
        VERBS.put("run", RunCommand::new);
        VERBS.put("compare", CompareCommand::new);
        VERBS.put("record", RecordCommand::new);
        VERBS.put("bench", BenchCommand::new);
        VERBS.put("calibrate", CalibrateCommand::new);
        VERBS.put("audit", AuditCommand::new);
        VERBS.put("explain", ExplainCommand::new);
        VERBS.put("verify", VerifyCommand::new);
        VERBS.put("decide", DecideCommand::new);
        VERBS.put("runs", RunsCommand::new);
        VERBS.put("query", QueryCommand::new);
        VERBS.put("export", ExportCommand::new);
        VERBS.put("list", ListCommand::new);
        VERBS.put("show", ShowCommand::new);
        VERBS.put("man", ManCommand::new);
        VERBS.put("completion", CompletionCommand::new);
    }

    private Main() {}

    /** @param args a verb and its arguments */
    public static void main(String[] args) {
        Surroundings surroundings = new Surroundings(
                Home::find,
                Store.defaultFolder(System.getenv(), System.getProperty("user.home", "")),
                System.out,
                System.err,
                Terminal.isStandardError(),
                Simulation::run);
        int exitCode = run(surroundings, args);
        System.out.flush();
        Interruption.programIsOver();
        System.exit(exitCode);
    }

    /**
     * Does what a command line says.
     *
     * @return 0 done, 1 could not be done, 2 wrong use or unusable input, 130 interrupted
     */
    static int run(Surroundings surroundings, String... args) {
        PrintStream out = surroundings.out();
        PrintStream err = surroundings.err();
        CommandLine line = new CommandLine(new PerchCommand(surroundings));
        verbs(args).forEach(verb -> line.addSubcommand(verb.apply(surroundings)));
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

    /** The command line with all its verbs. */
    static CommandLine commandLine(Surroundings surroundings) {
        CommandLine line = new CommandLine(new PerchCommand(surroundings));
        VERBS.values().forEach(verb -> line.addSubcommand(verb.apply(surroundings)));
        return line;
    }

    /** The verbs that a command line may need: reading their options takes time, so only the one it names, if it does so at once. */
    private static Collection<Function<Surroundings, Object>> verbs(String... args) {
        Function<Surroundings, Object> named = args.length == 0 ? null : VERBS.get(args[0]);
        return named == null ? VERBS.values() : List.of(named);
    }

    private static boolean debug(CommandLine command) {
        CommandLine root = command;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        return root.getCommand() instanceof PerchCommand perch && perch.debug;
    }
}
