package dev.perch.cli;

import dev.perch.audit.probes.Outcome;
import dev.perch.audit.probes.ProbeCheck;
import dev.perch.audit.probes.ProbeResult;
import dev.perch.audit.probes.ProbeResult.Difference;
import dev.perch.kernel.Kernel;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.ProbedDecisions;
import dev.perch.model.TaskNames;
import dev.perch.trace.Defects;
import dev.perch.trace.ProbeRecordings;
import dev.perch.trace.ProbeSummary;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code perch verify --probes}: a kernel's rules against kprobe recordings, and what came of it as text or JSON. */
final class ProbesCheck {
    private static final String STANDARD_INPUT = "-";
    private static final int PROGRESS_STEP = 1 << 12;

    private final Surroundings surroundings;
    private final Kernel kernel;
    private final Machine machine;
    private final List<CpuMask> partitions;
    private final List<Map<String, Object>> defects = new ArrayList<>();
    private long incomplete;
    private int done;

    ProbesCheck(Surroundings surroundings, Kernel kernel, Machine machine, List<CpuMask> partitions) {
        this.surroundings = surroundings;
        this.kernel = kernel;
        this.machine = machine;
        this.partitions = partitions;
    }

    /**
     * Reads the recordings and prints what was found.
     *
     * @throws InputException if one cannot be used, or the machine or kernel does not fit
     */
    void run(List<String> files, boolean json) {
        Progress progress = new Progress(surroundings, "decisions", 0);
        TaskNames names = new TaskNames();
        ProbeCheck check = new ProbeCheck(kernel, machine, partitions, names);
        try {
            for (String file : files) {
                read(file, check, names, progress);
            }
        } finally {
            progress.clear();
        }
        ProbeResult result = check.result();
        if (json) {
            surroundings.out().print(JsonText.write(document(files, result)));
        } else {
            print(files, result);
        }
    }

    private void read(String file, ProbeCheck check, TaskNames names, Progress progress) {
        boolean standardInput = file.equals(STANDARD_INPUT);
        String name = standardInput ? "standard input" : file;
        check.begin(name);
        ProbedDecisions sink = decision -> {
            check.decided(decision);
            if (++done % PROGRESS_STEP == 0) {
                progress.show(done);
            }
        };
        ProbeSummary summary = standardInput
                ? ProbeRecordings.read(System.in, name, names, sink)
                : ProbeRecordings.read(Path.of(file), names, sink);
        incomplete += summary.incomplete();
        for (Defects.Defect defect : summary.defects().all()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("file", name);
            row.put("kind", defect.kind().key());
            row.put("count", defect.count());
            row.put("firstPlace", defect.firstPlace());
            defects.add(row);
        }
    }

    private Map<String, @Nullable Object> document(List<String> files, ProbeResult result) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("schema", 1);
        document.put("kernel", kernel.name());
        document.put("machine", machine.name());
        document.put("files", files);
        result.tallies().forEach((question, tally) -> {
            Map<String, Long> row = new LinkedHashMap<>();
            row.put("decisions", tally.decisions());
            row.put(Outcome.AGREE.key(), tally.agree());
            row.put(Outcome.RACE.key(), tally.race());
            row.put(Outcome.INPUT_MISSING.key(), tally.inputMissing());
            row.put(Outcome.DISAGREE.key(), tally.disagree());
            document.put(question.key(), row);
        });
        document.put("incomplete", incomplete);
        document.put("defects", defects);
        List<Map<String, Object>> first = new ArrayList<>();
        for (Difference one : result.first()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("question", one.question().key());
            row.put("file", one.file());
            row.put("line", one.line());
            row.put("ns", one.ns());
            row.put("waker", one.waker());
            row.put("wakee", one.wakee());
            row.put("thisCpu", one.thisCpu());
            row.put("prevCpu", one.prevCpu());
            row.put("kernel", one.kernel());
            row.put("rules", one.rules());
            row.put("tests", one.tests());
            row.put("steps", one.steps());
            first.add(row);
        }
        document.put("first", first);
        return document;
    }

    private void print(List<String> files, ProbeResult result) {
        PrintStream out = surroundings.out();
        out.printf(
                Locale.ROOT,
                "%s on %s, %d decisions of %d recording%s%n",
                kernel.name(),
                machine.name(),
                done,
                files.size(),
                files.size() == 1 ? "" : "s");
        out.printf(
                Locale.ROOT,
                "%-12s %10s %10s %8s %14s %9s%n",
                "",
                "decisions",
                "agree",
                "race",
                "input missing",
                "disagree");
        result.tallies()
                .forEach((question, tally) -> out.printf(
                        Locale.ROOT,
                        "%-12s %10d %10d %8d %14d %9d%n",
                        question.key(),
                        tally.decisions(),
                        tally.agree(),
                        tally.race(),
                        tally.inputMissing(),
                        tally.disagree()));
        if (incomplete > 0) {
            out.println("not compared, because lines of them are missing or damaged: " + incomplete);
        }
        for (Map<String, Object> defect : defects) {
            out.println(defect.get("file") + ": " + defect.get("kind") + " (" + defect.get("count") + ", first at line "
                    + defect.get("firstPlace") + ")");
        }
        result.first().forEach(one -> print(one, out));
    }

    private static void print(Difference one, PrintStream out) {
        out.println();
        out.println(one.question().key() + " at " + one.file() + ":" + one.line() + ": task " + one.waker() + " on CPU "
                + one.thisCpu() + " wakes " + one.wakee() + ", prev CPU " + one.prevCpu() + "; the kernel's answer "
                + one.kernel() + ", the rules' " + (one.rules() < 0 ? "none" : one.rules()));
        one.tests().forEach(test -> out.println("  kernel: " + test));
        one.steps().forEach(step -> out.println("  rules: " + step));
    }
}
