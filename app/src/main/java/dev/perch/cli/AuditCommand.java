package dev.perch.cli;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditJson;
import dev.perch.audit.AuditOptions;
import dev.perch.audit.AuditOptions.Moment;
import dev.perch.audit.AuditResult;
import dev.perch.audit.AuditText;
import dev.perch.audit.WakeupCsv;
import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.report.AuditPage;
import dev.perch.report.ChartKind;
import dev.perch.report.observe.Observation;
import dev.perch.report.observe.Observer;
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
            "          perch audit perf.data --report audit.html",
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

    @Mixin
    private PictureOptions pictures = new PictureOptions();

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
        PictureOptions.Wanted wanted = pictures.wanted(ChartKind.OF_AUDIT);
        try (RecordingInput.Opened opened = input.open(surroundings)) {
            AuditOptions options =
                    input.options(opened).withInterval(begin, end).withFilter(comm, onlyPid);
            audit(opened, options, wanted);
        }
        return 0;
    }

    private void audit(RecordingInput.Opened opened, AuditOptions options, PictureOptions.Wanted wanted) {
        TaskNames names = new TaskNames();
        Audit audit = new Audit(options, names);
        PrintStream out = surroundings.out();
        if (wakeups) {
            audit.addConsumer(new WakeupCsv(out, options, audit.tasks()));
        }
        Observer observer = wanted.isNothing() ? null : new Observer(audit, options, names);
        SchedEvents events = observer == null ? audit.events() : observer.events();
        RecordingSummary summary = RecordingInput.read(opened, audit, events, names, surroundings);
        AuditResult result = audit.finish();
        List<Map<String, Object>> defects = RecordingInput.defects(summary);
        if (observer != null) {
            draw(observer.finish(result), defects, wanted);
        }
        if (wakeups) {
            return;
        }
        if (json) {
            out.print(JsonText.write(AuditJson.of(result, defects)));
        } else {
            print(result, defects);
        }
    }

    private void draw(Observation observation, List<Map<String, Object>> defects, PictureOptions.Wanted wanted) {
        if (wanted.page() != null) {
            wanted.page()
                    .write(AuditPage.html(
                            observation, input.name(), inWords(defects), "perch " + PerchCommand.Version.text()));
        }
        if (wanted.picture() != null) {
            wanted.picture().write(wanted.chart().of(observation, input.name()));
        }
    }

    private static List<String> inWords(List<Map<String, Object>> defects) {
        return defects.stream()
                .map(defect -> defect.get("severity") + ": " + defect.get("kind") + " (" + defect.get("count") + "): "
                        + defect.get("touches"))
                .toList();
    }

    private void print(AuditResult result, List<Map<String, Object>> defects) {
        PrintStream out = surroundings.out();
        boolean some = pairs || tasks || cpus;
        if (!some) {
            out.print(AuditText.page(result));
            inWords(defects).forEach(out::println);
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
