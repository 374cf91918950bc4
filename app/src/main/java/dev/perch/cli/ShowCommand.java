package dev.perch.cli;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.KernelDifference;
import dev.perch.kernel.Kernels;
import dev.perch.kernel.domain.DomainDrawing;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.lab.Experiment;
import dev.perch.lab.ExperimentText;
import dev.perch.lab.Experiments;
import dev.perch.machines.MachineText;
import dev.perch.machines.Machines;
import dev.perch.machines.TopologyDrawing;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Nearest;
import dev.perch.sim.workload.WorkloadKind;
import dev.perch.sim.workload.Workloads;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perch show}: one machine, kernel, workload or experiment in full. */
@Command(
        name = "show",
        description = "Show one machine, kernel, workload or experiment in full; or what differs between two kernels.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        footer = {
            "",
            "Examples: perch show machine e5620 --kernel v3.2-rc1 --cpuset 1-3,5-7",
            "          perch show machine host --yaml > my.yaml",
            "          perch show kernel v3.2-rc1+mikie2",
            "          perch show kernel v5.11 v6.1",
            "          perch show experiment westmere-one-pair"
        })
final class ShowCommand implements Callable<Integer> {
    private static final List<String> KINDS = List.of("machine", "kernel", "workload", "experiment");

    private final Surroundings surroundings;

    @Parameters(index = "0", paramLabel = "machine|kernel|workload|experiment", description = "What kind of thing.")
    private String kind = "";

    @Parameters(
            index = "1",
            paramLabel = "NAME",
            description =
                    "Its name (perch list), a kernel expression, or a file; a machine may also be 'host', a saved /sys folder "
                            + "or an hwloc XML file.")
    private String name = "";

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "OTHER",
            description = "A second kernel: print what differs in it from the first.")
    private @Nullable String other;

    @Option(
            names = "--kernel",
            paramLabel = "KERNEL",
            description = "With a machine: the sched domains that this kernel builds on it.")
    private @Nullable String kernel;

    @Option(
            names = "--cpuset",
            paramLabel = "LIST",
            description = "With a machine and a kernel: the domains of an exclusive cpuset and of the rest.")
    private @Nullable String cpuset;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
            names = "--yaml",
            description =
                    "With a machine: print it as a machine file (docs/machine-file.md), whatever it was read from.")
    private boolean yaml;

    ShowCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (!KINDS.contains(kind)) {
            throw new InputException("'" + kind + "' cannot be shown" + Nearest.hint(kind, KINDS));
        }
        if (!kind.equals("machine") && (kernel != null || cpuset != null)) {
            throw new InputException("--kernel and --cpuset go with 'show machine' only");
        }
        if (kernel == null && cpuset != null) {
            throw new InputException("--cpuset needs --kernel, whose sched domains it splits");
        }
        if (yaml && (!kind.equals("machine") || json || kernel != null)) {
            throw new InputException("--yaml goes with 'show machine' alone, without --json and --kernel");
        }
        if (other != null && !kind.equals("kernel")) {
            throw new InputException("only kernels can be compared; 'show " + kind + "' takes one name");
        }
        Path home = surroundings.home().get();
        PrintStream out = surroundings.out();
        switch (kind) {
            case "machine" -> showMachine(Machines.find(name, home), home);
            case "kernel" -> showKernel(home);
            case "workload" -> showWorkload();
            case "experiment" -> {
                Experiment experiment = Experiments.find(name, home);
                out.print(json ? ShowJson.experiment(experiment) : ExperimentText.describe(experiment));
            }
            default -> throw new IllegalStateException(kind);
        }
        return 0;
    }

    private void showKernel(Path home) {
        PrintStream out = surroundings.out();
        if (other == null) {
            out.print(json ? ShowJson.kernel(Kernels.resolve(name, home)) : Kernels.show(name, home));
        } else {
            KernelDifference difference = Kernels.difference(name, other, home);
            out.print(json ? ShowJson.difference(difference) : difference.text());
        }
    }

    private void showMachine(Machine machine, Path home) {
        if (yaml) {
            surroundings.out().print(MachineText.yaml(machine, List.of()));
            return;
        }
        Kernel resolved = kernel == null ? null : Kernels.resolve(kernel, home);
        SchedDomains domains = resolved == null ? null : domains(machine, resolved);
        if (json) {
            surroundings.out().print(ShowJson.machine(machine, resolved, domains));
            return;
        }
        surroundings.out().print(TopologyDrawing.draw(machine));
        if (resolved != null && domains != null) {
            surroundings.out().println();
            surroundings.out().println("Sched domains of " + resolved.name());
            DomainDrawing.draw(domains)
                    .lines()
                    .forEach(line -> surroundings.out().println("  " + line));
            if (resolved.has("SIS_UTIL")) {
                surroundings.out().print(ScanLimits.text(domains));
            }
        }
    }

    private SchedDomains domains(Machine machine, Kernel resolved) {
        return SchedDomains.build(
                machine.topology(),
                RecordingInput.partitions(machine, cpuset),
                DomainRules.named(resolved.rules().schedDomains()));
    }

    private void showWorkload() {
        List<String> names = Workloads.list().stream().map(WorkloadKind::name).toList();
        if (!names.contains(name)) {
            throw new InputException("unknown workload '" + name + "'" + Nearest.hint(name, names));
        }
        WorkloadKind workload = Workloads.list().get(names.indexOf(name));
        PrintStream out = surroundings.out();
        if (json) {
            out.print(ShowJson.workload(workload));
            return;
        }
        out.println(workload.name() + ": " + workload.title());
        out.println("source: " + workload.source());
        out.println("measures: " + workload.metric() + ", "
                + (workload.higherIsBetter() ? "higher is better" : "lower is better"));
        out.println("options:");
        workload.options().forEach(option -> out.println("  " + option));
        Workloads.commonOptions().forEach(option -> out.println("  " + option));
        out.println(
                "write: " + workload.name() + ", " + workload.name() + "*3 for three of it, + for others beside it");
    }
}
