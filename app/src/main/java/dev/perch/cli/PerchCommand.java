package dev.perch.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code perch} without a verb: says what it is and what to try. */
@Command(
        name = "perch",
        description = "A laboratory for Linux's wakeup placement: where should a waking task land?",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        subcommandsRepeatable = false,
        footer = {
            "",
            "Example: perch run westmere-one-pair",
            "Exit codes: 0 done, 1 could not be done, 2 wrong use or unusable input, 130 interrupted by Ctrl-C"
        })
final class PerchCommand implements Runnable {
    private final Surroundings surroundings;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show a stack trace with an error.")
    boolean debug;

    PerchCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public void run() {
        surroundings
                .out()
                .println("perch: where should a waking task land? A laboratory for Linux's wakeup placement.");
        surroundings
                .out()
                .println("It runs modelled workloads on modelled machines under the placement rules of a kernel.");
        surroundings.out().println("Three things to try (perch --help and perch VERB --help say more):");
        surroundings
                .out()
                .println(
                        "  perch run westmere-one-pair                   five placement policies beside what was published");
        surroundings
                .out()
                .println(
                        "  perch list experiments                        what else can be run, and where it comes from");
        surroundings
                .out()
                .println(
                        "  perch show machine e5620 --kernel v3.2-rc1    a machine and the sched domains of a kernel on it");
    }

    /** The version that the build wrote into the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"perch " + text()};
        }

        static String text() {
            String version = PerchCommand.class.getPackage().getImplementationVersion();
            return version == null ? "(not built into a jar)" : version;
        }
    }
}
