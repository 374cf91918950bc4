package dev.perch.cli;

import dev.perch.decide.DecisionTable;
import dev.perch.decide.Engine;
import dev.perch.decide.Situation;
import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.kernel.placement.WakeKind;
import dev.perch.machines.Machines;
import dev.perch.machines.TopologyTable;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Nearest;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code perch decide}: the placement engine by hand, one decision under several kernels or a table of idle searches. */
@Command(
        name = "decide",
        description = "Ask kernels' placement rules where a task would land, in a state of the machine that you say.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        sortOptions = false,
        footer = {
            "",
            "Examples: perch decide --machine e5620 --busy 1,3 --this 3 --prev 1 --sync --kernel v3.2-rc1 --kernel v6.12",
            "          perch decide --batch idle-search.csv --machines machines.json"
        })
final class DecideCommand implements Callable<Integer> {
    private static final List<String> KINDS = List.of("wake", "fork", "exec");

    private final Surroundings surroundings;

    @Option(names = "--machine", paramLabel = "MACHINE", description = "The machine (perch list machines), or a file.")
    private @Nullable String machine;

    @Option(names = "--kernel", paramLabel = "KERNEL", description = "Whose rules to ask; may be given several times.")
    private List<String> kernels = new ArrayList<>();

    @Option(names = "--cpuset", paramLabel = "LIST", description = "An exclusive cpuset with its own sched domains.")
    private @Nullable String cpuset;

    @Option(names = "--event", paramLabel = "wake|fork|exec", description = "Why a CPU is sought; wake if left out.")
    private String event = "wake";

    @Option(names = "--this", paramLabel = "CPU", description = "The waker's CPU.")
    private @Nullable String thisCpu;

    @Option(names = "--prev", paramLabel = "CPU", description = "Where the task last ran; the waker's CPU if left out.")
    private @Nullable String prevCpu;

    @Option(names = "--sync", description = "The waker says that it will sleep soon.")
    private boolean sync;

    @Option(
            names = "--busy",
            paramLabel = "LIST",
            description = "CPUs that run one task; the waker's CPU is one if it runs.")
    private @Nullable String busy;

    @Option(
            names = "--running",
            paramLabel = "CPU=N",
            split = ",",
            description = "CPUs with another number of runnable tasks.")
    private Map<String, String> running = new LinkedHashMap<>();

    @Option(
            names = "--load",
            paramLabel = "CPU=LOAD",
            split = ",",
            description = "Loads, 1024 = one task of nice 0; otherwise those of the running tasks.")
    private Map<String, String> loads = new LinkedHashMap<>();

    @Option(
            names = "--sched-idle",
            paramLabel = "LIST",
            description = "Those of the busy CPUs that run SCHED_IDLE tasks only.")
    private @Nullable String schedIdle;

    @Option(names = "--taskset", paramLabel = "LIST", description = "The task's affinity; every CPU if left out.")
    private @Nullable String taskset;

    @Option(names = "--recent", paramLabel = "CPU", description = "The task's recent_used_cpu; prev if left out.")
    private @Nullable String recent;

    @Option(names = "--interrupt", description = "An interrupt on the waker's CPU wakes the task.")
    private boolean interrupt;

    @Option(names = "--kthread", description = "The waker is a kernel thread bound to its CPU.")
    private boolean kthread;

    @Option(
            names = "--flips",
            paramLabel = "WAKER/WAKEE",
            description = "wakee_flips of both, this wakeup included; 0/0 if left out.")
    private @Nullable String flips;

    @Option(
            names = "--has-idle-cores",
            paramLabel = "yes|no",
            description = "The hint of the LLCs; true to the state if left out.")
    private @Nullable String hasIdleCores;

    @Option(
            names = "--nr-idle-scan",
            paramLabel = "N",
            description = "CPUs that SIS_UTIL lets a search visit; no limit if left out.")
    private @Nullable String nrIdleScan;

    @Option(
            names = "--sis-prop-nr",
            paramLabel = "N",
            description =
                    "What SIS_PROP computes, at least 4: a search begins fewer entries than that; no limit if left out.")
    private @Nullable String sisPropNr;

    @Option(
            names = "--target",
            paramLabel = "CPU",
            description = "Ask the idle search alone, around this CPU, without the affinity's repair.")
    private @Nullable String target;

    @Option(
            names = "--batch",
            paramLabel = "FILE.csv",
            description =
                    "A table of idle searches (docs/decide.md has its columns); writes it with a column 'perch' added.")
    private @Nullable Path batch;

    @Option(names = "--machines", paramLabel = "FILE.json", description = "With --batch: the topologies that it names.")
    private @Nullable Path machines;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    DecideCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (batch != null) {
            answerTable(batch);
        } else {
            decide();
        }
        return 0;
    }

    private void answerTable(Path table) {
        if (machines == null) {
            throw new InputException("--batch needs --machines, the file with the topologies that the table names");
        }
        if (machine != null || thisCpu != null || !kernels.isEmpty() || json) {
            throw new InputException("--batch takes machines, kernels and states from the table; leave out the others");
        }
        Path home = surroundings.home().get();
        DecisionTable.answer(
                table,
                TopologyTable.read(machines),
                expression -> Kernels.resolve(expression, home),
                surroundings.out()::println);
    }

    private void decide() {
        if (machine == null || thisCpu == null || kernels.isEmpty()) {
            throw new InputException("name at least --machine, --kernel and --this, or --batch with a table");
        }
        if (machines != null) {
            throw new InputException("--machines goes with --batch; name one machine with --machine");
        }
        Path home = surroundings.home().get();
        Machine found = Machines.find(machine, home);
        List<CpuMask> partitions = RecordingInput.partitions(found, cpuset);
        Situation situation = situation(thisCpu);
        Map<Kernel, Engine.Decision> decisions = new LinkedHashMap<>();
        for (String expression : kernels) {
            Kernel kernel = Kernels.resolve(expression, home);
            Engine engine = new Engine(kernel, found.topology(), partitions);
            decisions.put(
                    kernel,
                    target == null ? engine.decide(situation) : engine.search(situation, number("--target", target)));
        }
        if (json) {
            surroundings.out().print(JsonText.write(document(found, decisions)));
        } else {
            print(decisions);
        }
    }

    private Situation situation(String waker) {
        if (!KINDS.contains(event)) {
            throw new InputException("--event cannot be '" + event + "'" + Nearest.hint(event, KINDS));
        }
        int thisNumber = number("--this", waker);
        Map<Integer, Integer> tasks = new TreeMap<>();
        for (int cpu : cpus("--busy", busy).toArray()) {
            tasks.put(cpu, 1);
        }
        running.forEach((cpu, count) -> tasks.put(number("--running", cpu), number("--running", count)));
        tasks.values().removeIf(count -> count == 0);
        Map<Integer, Integer> given = new TreeMap<>();
        loads.forEach((cpu, load) -> given.put(number("--load", cpu), number("--load", load)));
        int[] flipped = flips();
        return new Situation(
                WakeKind.valueOf(event.toUpperCase(Locale.ROOT)),
                thisNumber,
                prevCpu == null ? thisNumber : number("--prev", prevCpu),
                sync,
                interrupt,
                kthread,
                tasks,
                cpus("--sched-idle", schedIdle),
                cpus("--taskset", taskset),
                limit("--recent", recent),
                given,
                flipped[0],
                flipped[1],
                yesOrNo(),
                limit("--nr-idle-scan", nrIdleScan),
                limit("--sis-prop-nr", sisPropNr));
    }

    private int[] flips() {
        if (flips == null) {
            return new int[2];
        }
        String[] two = flips.split("/", -1);
        if (two.length != 2) {
            throw new InputException(
                    "--flips cannot be '" + flips + "'; write the waker's and the wakee's, as in 64/8");
        }
        return new int[] {number("--flips", two[0]), number("--flips", two[1])};
    }

    private Optional<Boolean> yesOrNo() {
        if (hasIdleCores == null) {
            return Optional.empty();
        }
        if (!hasIdleCores.equals("yes") && !hasIdleCores.equals("no")) {
            throw new InputException("--has-idle-cores cannot be '" + hasIdleCores + "'; write yes or no");
        }
        return Optional.of(hasIdleCores.equals("yes"));
    }

    private static CpuMask cpus(String option, @Nullable String text) {
        return text == null ? CpuMask.empty() : RunCommand.cpus(option, text);
    }

    private static OptionalInt limit(String option, @Nullable String text) {
        return text == null || text.equals("inf") ? OptionalInt.empty() : OptionalInt.of(number(option, text));
    }

    private static int number(String option, String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new InputException(option + " cannot be '" + text + "'; write a number");
        }
        return Integer.parseInt(text);
    }

    private void print(Map<Kernel, Engine.Decision> decisions) {
        PrintStream out = surroundings.out();
        boolean first = true;
        for (Map.Entry<Kernel, Engine.Decision> entry : decisions.entrySet()) {
            if (!first) {
                out.println();
            }
            first = false;
            Engine.Decision decision = entry.getValue();
            out.println(entry.getKey().name() + ": CPU " + decision.cpu() + ", CPUs looked at: " + decision.probes());
            decision.steps().forEach(step -> out.println("  " + step));
            entry.getKey().notes().forEach(note -> out.println("  note: " + note));
        }
    }

    private static Map<String, @Nullable Object> document(Machine machine, Map<Kernel, Engine.Decision> decisions) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("schema", 1);
        document.put("machine", machine.name());
        List<Map<String, @Nullable Object>> answers = new ArrayList<>();
        decisions.forEach((kernel, decision) -> {
            Map<String, @Nullable Object> answer = new LinkedHashMap<>();
            answer.put("kernel", kernel.name());
            answer.put("cpu", decision.cpu());
            answer.put("probes", decision.probes());
            answer.put("steps", decision.steps());
            answer.put("notes", kernel.notes());
            answers.add(answer);
        });
        document.put("decisions", answers);
        return document;
    }
}
