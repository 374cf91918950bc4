package dev.perch.cli;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.lab.Calibration;
import dev.perch.lab.CalibrationTable;
import dev.perch.lab.Catalogue;
import dev.perch.lab.Experiment;
import dev.perch.lab.ExperimentPlan;
import dev.perch.lab.ExperimentResult;
import dev.perch.lab.ExperimentRun;
import dev.perch.lab.Experiments;
import dev.perch.lab.Overrides;
import dev.perch.lab.Precision;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Times;
import dev.perch.report.ChartKind;
import dev.perch.sim.Simulation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perch run}: runs an experiment and prints its table, or finds the constants that it calibrates. */
@Command(
        name = "run",
        description =
                "Run an experiment, or a workload given by hand, and print the results beside what was published.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        sortOptions = false,
        footer = {
            "",
            "Examples: perch run westmere-one-pair",
            "          perch run my.yaml --repeats 3 --set governor=performance --no-store",
            "          perch run westmere-one-pair --report westmere.html",
            "          perch run --workload tcp-rr --machine e5620 --kernel v3.2-rc1 --kernel v3.9 --cpuset 1-3,5-7",
            "The result is stored (perch runs). Ctrl-C ends a run early: the table and the store then hold what is done."
        })
final class RunCommand implements Callable<Integer> {
    private static final int MAX_REPEATS = 10_000;
    private static final int MAX_THREADS = 1_024;

    private final Surroundings surroundings;

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME|FILE.yaml",
            description = "An experiment (perch list experiments) or an experiment file.")
    private String experiment = "";

    @Option(
            names = "--workload",
            paramLabel = "WORKLOAD",
            description =
                    "What runs: NAME[:KEY=VALUE,...][*COUNT], joined by +, as in tcp-rr+hog*2; or ./FILE.yaml, or a "
                            + "./FILE.json of rt-app. May be given again.")
    private List<String> workloads = new ArrayList<>();

    @Option(names = "--machine", paramLabel = "MACHINE", description = "A machine's name or file. May be given again.")
    private List<String> machines = new ArrayList<>();

    @Option(
            names = "--kernel",
            paramLabel = "KERNEL",
            description =
                    "VERSION[+PATCH...][,FEATURE|,NO_FEATURE|,TUNABLE=VALUE...]. May be given again: one row each.")
    private List<String> kernels = new ArrayList<>();

    @Option(
            names = "--cpuset",
            paramLabel = "LIST",
            description = "An exclusive cpuset with its own sched domains; 'none' lifts it.")
    private @Nullable String cpuset;

    @Option(
            names = "--taskset",
            paramLabel = "LIST",
            description = "Affinity of the workload's tasks; 'none' lifts it.")
    private @Nullable String taskset;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "governor=ondemand|performance|powersave|userspace|conservative|schedutil and its tunables "
                    + "(up_threshold=N …), turbo=on|off, nohz=on|off, idle=halt|mwait|poll, "
                    + "idle_governor=menu|teo|ladder, max_cstate=N, hz=100|250|300|1000, autogroup=on|off, housekeeping=N, "
                    + "noise=N. May be given again.")
    private List<String> settings = new ArrayList<>();

    @Option(names = "--repeats", paramLabel = "N", description = "Runs of each row (10).")
    private @Nullable String repeats;

    @Option(
            names = "--until",
            paramLabel = "PERCENT",
            description =
                    "Run each row again until its mean is known this exactly, as in --until 1%%: half the width of the 95%%"
                            + " interval. --repeats is then the least.")
    private @Nullable String until;

    @Option(names = "--max-repeats", paramLabel = "N", description = "With --until, the most runs of a row (200).")
    private @Nullable String maxRepeats;

    @Option(names = "--duration", paramLabel = "TIME", description = "Simulated time measured in each run (1 s).")
    private @Nullable String duration;

    @Option(names = "--warmup", paramLabel = "TIME", description = "Simulated time before that (300 ms).")
    private @Nullable String warmup;

    @Option(names = "--random-seed", paramLabel = "N", description = "Where all randomness comes from (1).")
    private @Nullable String randomSeed;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Runs at a time (the number of CPUs); changes no result.")
    private @Nullable String threads;

    @Option(
            names = "--check",
            description =
                    "Look after every step of every run whether what must be true of any run is: each runnable task on "
                            + "one queue, no CPU idle over work, time that adds up …; the run that breaks one ends there. Slower.")
    private boolean check;

    @Option(names = "--calibrate", description = "Find the constants that the experiment calibrates, and print them.")
    private boolean calibrate;

    @Option(
            names = "--events",
            paramLabel = "FILE",
            description = "Write the first run's scheduler events as ftrace text, a recording that perch audit reads. "
                    + "Wants a single row.")
    private @Nullable String events;

    @Mixin
    private PictureOptions pictures = new PictureOptions();

    @Mixin
    private StoreOption storeOption = new StoreOption();

    @Option(names = "--no-store", description = "Do not store the result.")
    private boolean noStore;

    @Option(
            names = "--store-events",
            description = "Store the scheduler events of each row's first run too, as recordings.")
    private boolean storeEvents;

    @Option(
            names = "--table",
            paramLabel = "FORM",
            description = "Instead of the experiment's table, compare its kernels: ratio, mmtests or mmtests-full"
                    + " (perch compare --help).")
    private @Nullable String table;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    RunCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Overrides overrides = new Overrides(
                machines,
                kernels,
                workloads,
                settings,
                mask("--cpuset", cpuset),
                mask("--taskset", taskset),
                repeats == null
                        ? OptionalInt.empty()
                        : OptionalInt.of((int) number("--repeats", repeats, 1, MAX_REPEATS)),
                time("--duration", duration, false),
                time("--warmup", warmup, true));
        long seed = randomSeed == null ? 1 : number("--random-seed", randomSeed, Long.MIN_VALUE, Long.MAX_VALUE);
        int atOnce = threads == null
                ? Runtime.getRuntime().availableProcessors()
                : (int) number("--threads", threads, 1, MAX_THREADS);
        Path home = surroundings.home().get();
        Experiment wanted =
                experiment.isEmpty() ? overrides.byHand() : overrides.apply(Experiments.find(experiment, home));
        ExperimentPlan plan = ExperimentPlan.of(wanted, new Files(home));
        PictureOptions.Wanted drawn = pictures.wanted(ChartKind.OF_EXPERIMENT);
        if (calibrate && !drawn.isNothing()) {
            throw new InputException(
                    "--report and --plot show results, which --calibrate has not; leave one of them out");
        }
        EventsFile eventsFile = events == null ? null : new EventsFile(events, plan);
        if (noStore && (storeOption.isGiven() || storeEvents)) {
            throw new InputException("--no-store contradicts --store and --store-events; leave one out");
        }
        RunOutput output = new RunOutput(surroundings, json, precision(), table, seed);
        if (calibrate && (until != null || table != null)) {
            throw new InputException(
                    (until != null ? "--until" : "--table") + " has no use with --calibrate; leave it out");
        }
        RunPictures drawing = new RunPictures(surroundings, drawn, atOnce);
        ExperimentRun run = new ExperimentRun(check ? Simulation::runChecked : surroundings.simulator(), atOnce);
        int exitCode = 0;
        if (calibrate) {
            calibrate(plan, run, seed);
        } else if (noStore) {
            exitCode = run(plan, run, seed, output, drawing, null);
        } else {
            try (ResultKeeper keeper = new ResultKeeper(surroundings, storeOption.open(surroundings), storeEvents)) {
                exitCode = run(plan, run, seed, output, drawing, keeper);
            }
        }
        if (eventsFile != null && exitCode == 0) {
            eventsFile.write(plan, seed);
        }
        return exitCode;
    }

    /** Runs, prints and keeps the result; after Ctrl-C what is done of it. */
    private int run(
            ExperimentPlan plan,
            ExperimentRun run,
            long seed,
            RunOutput output,
            RunPictures drawing,
            @Nullable ResultKeeper keeper) {
        Precision precision = output.precision();
        int all = plan.rows().size() * plan.experiment().repeats();
        // how many runs it takes to be exact enough is not known before
        Progress progress = new Progress(surroundings, "runs", precision == null ? all : 0);
        try (Interruption interruption = new Interruption(run::stop)) {
            ExperimentResult result;
            try {
                result = precision == null
                        ? run.run(plan, seed, progress::show)
                        : run.run(plan, seed, precision, progress::show);
            } finally {
                progress.clear();
            }
            if (result.rows().isEmpty()) {
                surroundings.err().println("perch: interrupted before a run was done; there is no result");
            } else {
                output.print(result);
                if (keeper != null) {
                    keeper.keep(result);
                }
                drawing.draw(result);
            }
            return interruption.isRequested() ? Interruption.EXIT_CODE : 0;
        }
    }

    /** How exactly the user wants to know the rows; null if they are run a fixed number of times. */
    private @Nullable Precision precision() {
        if (until == null) {
            if (maxRepeats != null) {
                throw new InputException("--max-repeats has no use without --until; write --repeats");
            }
            return null;
        }
        int most = maxRepeats == null
                ? Precision.DEFAULT_MOST_RUNS
                : (int) number("--max-repeats", maxRepeats, 2, MAX_REPEATS);
        return new Precision(ComparisonOptions.percent("--until", until, 0.001, 50), 0.95, most);
    }

    private void calibrate(ExperimentPlan plan, ExperimentRun run, long seed) {
        Progress progress = new Progress(surroundings, "evaluations", 0);
        List<Calibration.Found> found;
        try {
            found = new Calibration(run, plan, seed, progress::show).find();
        } finally {
            progress.clear();
        }
        if (json) {
            surroundings.out().print(RunJson.calibration(plan.experiment(), seed, found));
        } else {
            CalibrationTable.lines(plan.experiment(), seed, found).forEach(surroundings.out()::println);
        }
    }

    /** Machines and kernels from the files under the home folder. */
    private record Files(Path home) implements Catalogue {
        @Override
        public Machine machine(String name) {
            return Machines.find(name, home);
        }

        @Override
        public Kernel kernel(String expression) {
            return Kernels.resolve(expression, home);
        }
    }

    private static Optional<CpuMask> mask(String option, @Nullable String list) {
        if (list == null) {
            return Optional.empty();
        }
        return Optional.of(list.equals("none") ? CpuMask.empty() : cpus(option, list));
    }

    /**
     * The CPUs of a list that is not empty.
     *
     * @throws InputException an empty or broken list
     */
    static CpuMask cpus(String option, String list) {
        CpuMask mask = CpuMask.parse(list);
        if (mask.isEmpty()) {
            throw new InputException(option + " is empty; name CPUs, as in 1-3,5-7");
        }
        return mask;
    }

    private static OptionalLong time(String option, @Nullable String text, boolean zeroAllowed) {
        return text == null ? OptionalLong.empty() : OptionalLong.of(Times.parse(option, text, zeroAllowed));
    }

    static long number(String option, String text, long low, long high) {
        try {
            long number = Long.parseLong(text);
            if (number >= low && number <= high) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below, with the range
        }
        throw new InputException(
                option + " cannot be '" + text + "'; write a whole number from " + low + " to " + high);
    }
}
