package dev.perch.cli;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditOptions;
import dev.perch.audit.Explain;
import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.TaskNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perch explain}: one wakeup, the machine at that moment, and an era's rules step by step. */
@Command(
        name = "explain",
        description =
                "Explain one wakeup of a recording: the machine at that moment and, with a kernel, its rules step by step.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        sortOptions = false,
        footer = {
            "",
            "Examples: perch explain perf.data --wakeup 4711",
            "          perch explain trace.txt --machine e5620 --kernel v3.2-rc1 --pid 1234 --at +1.5"
        })
final class ExplainCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private RecordingInput input = new RecordingInput();

    @Option(names = "--wakeup", paramLabel = "N", description = "The wakeup's number, from 1 (perch audit --wakeups).")
    private @Nullable String number;

    @Option(names = "--pid", paramLabel = "PID", description = "With --at: the last wakeup of this task until then.")
    private @Nullable String pid;

    @Option(
            names = "--at",
            paramLabel = "SECONDS",
            description = "A time as the recording prints it; +1.5: 1.5 s after its first event.")
    private @Nullable String at;

    @Option(names = "--kernel", paramLabel = "KERNEL", description = "Whose rules to walk.")
    private @Nullable String kernel;

    @Option(
            names = "--cpuset",
            paramLabel = "LIST",
            description =
                    "CPUs of an exclusive cpuset with its own sched domains; a simulated recording tells its own.")
    private @Nullable String cpuset;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    ExplainCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if ((number == null) == (pid == null) || (pid == null) != (at == null)) {
            throw new InputException("say which wakeup: --wakeup N, or --pid PID with --at SECONDS");
        }
        Kernel resolved = kernel == null
                ? null
                : Kernels.resolve(kernel, surroundings.home().get());
        try (RecordingInput.Opened opened = input.open(surroundings)) {
            explain(opened, resolved);
        }
        return 0;
    }

    private void explain(RecordingInput.Opened opened, @Nullable Kernel resolved) {
        AuditOptions options = input.options(opened);
        if (resolved != null && options.topology() == null) {
            throw new InputException(
                    "the rules need to know which CPUs share caches, which the recording does not say; name the machine with --machine");
        }
        List<CpuMask> partitions = RecordingInput.partitions(opened, cpuset);
        TaskNames names = new TaskNames();
        Audit audit = new Audit(options, names);
        Explain explain = pid != null && at != null
                ? Explain.lastOf(
                        audit,
                        options,
                        resolved,
                        partitions,
                        AuditCommand.pid("--pid", pid),
                        RecordingInput.moment("--at", at))
                : Explain.wakeup(audit, options, resolved, partitions, number(String.valueOf(number)));
        RecordingInput.read(opened, audit, names, surroundings);
        List<String> lines = explain.finish();
        if (lines.isEmpty()) {
            throw new InputException(input.file() + " has no such wakeup; perch audit --wakeups lists them");
        }
        if (json) {
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            document.put("schema", 1);
            document.put("machine", options.machineName());
            document.put("kernel", resolved == null ? null : resolved.name());
            document.put("lines", lines);
            surroundings.out().print(JsonText.write(document));
        } else {
            lines.forEach(surroundings.out()::println);
        }
    }

    private static long number(String text) {
        if (!text.matches("[1-9][0-9]{0,17}")) {
            throw new InputException("--wakeup cannot be '" + text + "'; write a number from 1");
        }
        return Long.parseLong(text);
    }
}
