package dev.perch.cli;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditOptions;
import dev.perch.audit.MissingInput;
import dev.perch.audit.Verify;
import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.TaskNames;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perch verify}: how often an era's rules choose as the recorded kernel did. */
@Command(
        name = "verify",
        description =
                "Say how often a kernel's placement rules agree with what was recorded, and explain the first disagreements.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        sortOptions = false,
        footer = {
            "",
            "With --probes, every single decision is compared, given the kernel's own view: docs/probes.md.",
            "",
            "Examples: perch verify run.txt --machine e5620 --kernel v3.2-rc1+mikie2",
            "          perch verify --probes pipe1.trace.txt.zst tbench4.trace.txt.zst --machine machine/ --kernel v6.1.192"
        })
final class VerifyCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private RecordingInput input = new RecordingInput();

    @Option(
            names = "--probes",
            description = "The recordings show the kernel's decisions with kprobes: compare each, one by one.")
    private boolean probes;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "FILE", description = "With --probes: more recordings.")
    private List<String> more = new ArrayList<>();

    @Option(
            names = "--kernel",
            paramLabel = "KERNEL",
            required = true,
            description =
                    "Whose rules to ask. A recording names the kernel as its distribution does (6.1.0-56-amd64), which does not "
                            + "tell the point release (v6.1.192): look it up.")
    private String kernel = "";

    @Option(
            names = "--cpuset",
            paramLabel = "LIST",
            description =
                    "CPUs of an exclusive cpuset with its own sched domains; a simulated recording tells its own.")
    private @Nullable String cpuset;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    VerifyCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Kernel resolved = Kernels.resolve(kernel, surroundings.home().get());
        if (probes) {
            List<String> files = new ArrayList<>(more);
            files.addFirst(input.file());
            Machine machine = input.requireMachine(surroundings);
            List<CpuMask> partitions = RecordingInput.partitions(machine, cpuset);
            new ProbesCheck(surroundings, resolved, machine, partitions).run(files, json);
            return 0;
        }
        if (!more.isEmpty()) {
            throw new InputException(
                    "'" + more.getFirst() + "' is one recording too many; more than one is read with --probes only");
        }
        try (RecordingInput.Opened opened = input.open(surroundings)) {
            AuditOptions options = input.options(opened);
            TaskNames names = new TaskNames();
            Audit audit = new Audit(options, names);
            Verify verify = new Verify(
                    audit,
                    resolved,
                    options.topology(),
                    RecordingInput.partitions(opened, cpuset),
                    opened.head().simulated());
            RecordingInput.read(opened, audit, names, surroundings);
            Verify.Result result = verify.finish();
            if (json) {
                surroundings.out().print(JsonText.write(document(result, resolved, options)));
            } else {
                print(result, resolved, options);
            }
        }
        return 0;
    }

    private void print(Verify.Result result, Kernel resolved, AuditOptions options) {
        PrintStream out = surroundings.out();
        out.printf(
                Locale.ROOT,
                "%s on %s: of %d decisions %d agree%s, %d disagree, %d cannot be told%n",
                resolved.name(),
                options.machineName(),
                result.decisions(),
                result.agree(),
                result.decisions() == 0
                        ? ""
                        : String.format(Locale.ROOT, " (%.2f %%)", 100.0 * result.agree() / result.decisions()),
                result.disagree(),
                result.unknown());
        result.byInput()
                .forEach((missing, count) -> out.println("  not told for want of " + missing.word() + ": " + count));
        for (Verify.Disagreement one : result.first()) {
            out.println();
            out.println("wakeup " + one.number() + " at " + seconds(one.ns()) + ": " + one.waker() + " on CPU "
                    + one.thisCpu()
                    + " wakes " + one.wakee() + ", prev CPU " + one.prevCpu() + "; recorded CPU " + one.chosenCpu()
                    + ", the rules choose CPU " + one.expectedCpu());
            one.steps().forEach(step -> out.println("  " + step));
        }
    }

    private static String seconds(long ns) {
        return String.format(Locale.ROOT, "%d.%09d", ns / 1_000_000_000L, ns % 1_000_000_000L);
    }

    private static Map<String, @Nullable Object> document(Verify.Result result, Kernel resolved, AuditOptions options) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("schema", 1);
        document.put("kernel", resolved.name());
        document.put("machine", options.machineName());
        document.put("decisions", result.decisions());
        document.put("agree", result.agree());
        document.put("disagree", result.disagree());
        document.put("unknown", result.unknown());
        Map<String, Long> byInput = new LinkedHashMap<>();
        for (MissingInput missing : MissingInput.values()) {
            Long count = result.byInput().get(missing);
            if (count != null) {
                byInput.put(missing.word(), count);
            }
        }
        document.put("byInput", byInput);
        document.put("first", new ArrayList<>(result.first()));
        return document;
    }
}
