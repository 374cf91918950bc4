package dev.perch.cli;

import dev.perch.host.HostSystem;
import dev.perch.host.bench.BenchPlan;
import dev.perch.host.bench.BenchResult;
import dev.perch.host.bench.BenchRun;
import dev.perch.host.bench.Benchmark;
import dev.perch.host.bench.Placement;
import dev.perch.model.InputException;
import dev.perch.model.Times;
import dev.perch.store.NewRun;
import dev.perch.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perch bench}: a benchmark on the machine that Perch runs on. */
@Command(
        name = "bench",
        description = "Measure this machine: two tasks that wake each other, or groups of senders and receivers.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        sortOptions = false,
        footer = {
            "",
            "Benchmarks: pipe        two pipes, as perf bench sched pipe (us/op)",
            "            futex       words in shared memory and the futex system call (us/op)",
            "            socketpair  a pair of Unix-domain stream sockets (us/op)",
            "            tcp-rr      a TCP connection over loopback, as netperf TCP_RR (transactions/s)",
            "            messaging   groups of 20 senders and 20 receivers, as perf bench sched messaging (s)",
            "An operation or transaction is one message there and one back.",
            "The tasks are processes, with --threads threads of one process.",
            "",
            "Examples: perch bench pipe",
            "          perch bench pipe --pin 0/0 --pin 0/1 --threads",
            "          perch bench tcp-rr --matrix --repeats 3 --duration 500ms",
            "          perch bench messaging --groups 4 --pipe --json",
            "The result is stored (perch runs); perch compare lays it beside others, simulated ones too. Ctrl-C ends it",
            "early: the table and the store then hold what is done."
        })
final class BenchCommand implements Callable<Integer> {
    private static final int MAX_REPEATS = 10_000;
    private static final int MAX_GROUPS = 256;
    private static final int MAX_LOOPS = 1_000_000;
    private static final int REPEATS = 5;
    private static final long DURATION_NS = 1_000_000_000;
    private static final long WARMUP_NS = 300_000_000;

    private final Surroundings surroundings;

    @Parameters(paramLabel = "NAME", description = "pipe, futex, socketpair, tcp-rr or messaging.")
    private String name = "";

    @Option(
            names = "--pin",
            paramLabel = "A/B",
            description =
                    "Bind the end that begins to CPU A and the other one to CPU B (messaging: senders and receivers). May be"
                            + " given again: one row each. Without it the kernel chooses.")
    private List<String> pins = new ArrayList<>();

    @Option(
            names = "--matrix",
            description =
                    "Every pair of CPUs that this process may use: first one pair for each distance there is, then the rest.")
    private boolean matrix;

    @Option(names = "--threads", description = "Threads of one process instead of processes.")
    private boolean threads;

    @Option(names = "--repeats", paramLabel = "N", description = "Measurements of each row (5).")
    private @Nullable String repeats;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Time of each (1 s). Not for messaging, which ends by itself.")
    private @Nullable String duration;

    @Option(names = "--warmup", paramLabel = "TIME", description = "Time before each (300 ms).")
    private @Nullable String warmup;

    @Option(names = "--groups", paramLabel = "N", description = "Groups of messaging (10).")
    private @Nullable String groups;

    @Option(
            names = "--loops",
            paramLabel = "N",
            description = "Messages from each sender to each receiver of messaging (100).")
    private @Nullable String loops;

    @Option(names = "--pipe", description = "Pipes instead of sockets in messaging.")
    private boolean pipes;

    @Mixin
    private StoreOption storeOption = new StoreOption();

    @Option(names = "--no-store", description = "Do not store the result.")
    private boolean noStore;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    BenchCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        Benchmark benchmark = Benchmark.of(name);
        refuseContradictions(benchmark);
        HostSystem host = HostSystem.find(surroundings.home().get());
        BenchPlan plan = new BenchPlan(
                benchmark,
                threads,
                placements(host),
                (int) number("--repeats", repeats, REPEATS, MAX_REPEATS),
                warmup == null ? WARMUP_NS : Times.parse("--warmup", warmup, true),
                duration == null ? DURATION_NS : Times.parse("--duration", duration, false),
                (int) number("--groups", groups, BenchPlan.DEFAULT_GROUPS, MAX_GROUPS),
                (int) number("--loops", loops, BenchPlan.DEFAULT_LOOPS, MAX_LOOPS),
                pipes);
        if (noStore) {
            return run(plan, host, null, null);
        }
        Store store = storeOption.open(surroundings);
        try (NewRun stored = store.begin()) {
            return run(plan, host, store, stored);
        }
    }

    private void refuseContradictions(Benchmark benchmark) {
        if (benchmark == Benchmark.MESSAGING) {
            if (duration != null || warmup != null) {
                throw new InputException("messaging ends by itself; instead of "
                        + (duration != null ? "--duration" : "--warmup") + " give --loops");
            }
        } else if (groups != null || loops != null || pipes) {
            throw new InputException((groups != null ? "--groups" : loops != null ? "--loops" : "--pipe")
                    + " is of messaging; " + name + " has two tasks");
        }
        if (matrix && !pins.isEmpty()) {
            throw new InputException("--matrix takes every pair of CPUs; leave --pin out");
        }
        if (noStore && storeOption.isGiven()) {
            throw new InputException("--no-store contradicts --store; leave one out");
        }
    }

    private List<Placement> placements(HostSystem host) {
        if (matrix) {
            return Placement.everyPair(host);
        }
        List<Placement> wanted =
                pins.stream().map(pin -> Placement.parse("--pin", pin, host)).toList();
        for (int i = 0; i < wanted.size(); i++) {
            if (wanted.indexOf(wanted.get(i)) < i) {
                throw new InputException(
                        "--pin " + wanted.get(i).text() + " is given twice; --repeats measures it more often");
            }
        }
        return wanted.isEmpty() ? List.of(Placement.FREE) : wanted;
    }

    private static long number(String option, @Nullable String text, long usual, long most) {
        return text == null ? usual : RunCommand.number(option, text, 1, most);
    }

    /** Measures, prints and keeps the result; after Ctrl-C what is done of it. */
    private int run(BenchPlan plan, HostSystem host, @Nullable Store store, @Nullable NewRun stored)
            throws InterruptedException {
        BenchRun run = new BenchRun(plan, host);
        long all = (long) plan.placements().size() * plan.repeats();
        Progress progress = new Progress(surroundings, "measurements", all);
        try (Interruption interruption = new Interruption(run::stop)) {
            BenchResult result;
            try {
                result = run.run(progress::show);
            } finally {
                progress.clear();
            }
            if (result.rows().isEmpty()) {
                surroundings.err().println("perch: interrupted before a measurement was done; there is no result");
            } else {
                if (json) {
                    surroundings.out().print(BenchJson.result(result));
                } else {
                    BenchTable.lines(result).forEach(surroundings.out()::println);
                }
                surroundings.out().flush();
                if (store != null && stored != null) {
                    String id = store.put(stored, StoredBench.of(result));
                    surroundings.err().println("stored as " + id + (result.isComplete() ? "" : ", incomplete"));
                }
            }
            return interruption.isRequested() ? Interruption.EXIT_CODE : 0;
        }
    }
}
