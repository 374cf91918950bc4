package dev.perch.cli;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditJson;
import dev.perch.audit.AuditOptions;
import dev.perch.audit.AuditOptions.Moment;
import dev.perch.audit.AuditResult;
import dev.perch.audit.AuditText;
import dev.perch.audit.WakeupCsv;
import dev.perch.model.InputException;
import dev.perch.model.TaskNames;
import dev.perch.trace.RecordingSummary;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perch audit}: where every wakeup of a recording went, whether that was good, and what it cost. */
@Command(
        name = "audit",
        description = "Say of a recording whether the scheduler hurts, where and how much: a verdict for every wakeup.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        sortOptions = false,
        footer = {
            "",
            "How to record, and what each lets Perch know:",
            "  perf sched record -- COMMAND",
            "      switches, wakeups, migrations, and the machine's topology: all verdicts, chosen CPUs partly derived",
            "  perf record -a -e 'sched:*' -e power:cpu_idle -e ipi:ipi_send_cpu -m 16M -- COMMAND",
            "      also: every chosen CPU exactly, the exit from idle states, interrupts (ipi_send_cpu: since Linux 6.4)",
            "  trace-cmd record -e sched -e power:cpu_idle -e irq_vectors:reschedule_entry \\",
            "      -e irq_vectors:call_function_single_entry -b 65536 COMMAND",
            "      the same from trace.dat; name the machine with --machine (perch show machine host)",
            "Steal time is in none of the formats: in a virtual machine, waits may be the host's.",
            "",
            "Examples: perch audit perf.data",
            "          perch audit trace.dat --machine host --pairs --comm postgres",
            "          perch audit trace.txt --machine e5620 --from +1.5 --to +2 --wakeups > wakeups.csv"
        })
final class AuditCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private RecordingInput input = new RecordingInput();

    @Option(names = "--pairs", description = "All pairs of waker and wakee.")
    private boolean pairs;

    @Option(names = "--tasks", description = "All tasks.")
    private boolean tasks;

    @Option(names = "--cpus", description = "All CPUs.")
    private boolean cpus;

    @Option(names = "--wakeups", description = "Every wakeup, as CSV.")
    private boolean wakeups;

    @Option(
            names = "--from",
            paramLabel = "SECONDS",
            description = "Only from this time on, as the recording prints it; +1.5: 1.5 s after its first event.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "SECONDS", description = "Only before this time.")
    private @Nullable String to;

    @Option(names = "--comm", paramLabel = "NAME", description = "Only wakeups of or by tasks of this name.")
    private String comm = "";

    @Option(names = "--pid", paramLabel = "PID", description = "Only wakeups of or by this task.")
    private @Nullable String pid;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    AuditCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Moment begin = from == null ? Moment.START : RecordingInput.moment("--from", from);
        Moment end = to == null ? Moment.END : RecordingInput.moment("--to", to);
        if (begin.sinceFirst() == end.sinceFirst() && begin.ns() >= end.ns()) {
            throw new InputException("--to " + to + " is not after --from " + from + "; nothing lies between them");
        }
        int onlyPid = pid == null ? -1 : pid("--pid", pid);
        try (RecordingInput.Opened opened = input.open(surroundings)) {
            AuditOptions options =
                    input.options(opened).withInterval(begin, end).withFilter(comm, onlyPid);
            audit(opened, options);
        }
        return 0;
    }

    private void audit(RecordingInput.Opened opened, AuditOptions options) {
        TaskNames names = new TaskNames();
        Audit audit = new Audit(options, names);
        PrintStream out = surroundings.out();
        if (wakeups) {
            audit.addConsumer(new WakeupCsv(out, options, audit.tasks()));
        }
        RecordingSummary summary = RecordingInput.read(opened, audit, names, surroundings);
        AuditResult result = audit.finish();
        if (wakeups) {
            return;
        }
        List<Map<String, Object>> defects = RecordingInput.defects(summary);
        if (json) {
            out.print(JsonText.write(AuditJson.of(result, defects)));
        } else {
            print(result, defects);
        }
    }

    private void print(AuditResult result, List<Map<String, Object>> defects) {
        PrintStream out = surroundings.out();
        boolean some = pairs || tasks || cpus;
        if (!some) {
            out.print(AuditText.page(result));
            for (Map<String, Object> defect : defects) {
                out.println(defect.get("severity") + ": " + defect.get("kind") + " (" + defect.get("count") + "): "
                        + defect.get("touches"));
            }
            return;
        }
        out.println(AuditText.sentence(result));
        out.println();
        if (pairs) {
            out.print(AuditText.pairTable(result));
        }
        if (tasks) {
            out.print(AuditText.taskTable(result));
        }
        if (cpus) {
            out.print(AuditText.cpuTable(result));
        }
    }

    static int pid(String option, String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new InputException(option + " cannot be '" + text + "'; write a task's number, as in 4711");
        }
        return Integer.parseInt(text);
    }
}
