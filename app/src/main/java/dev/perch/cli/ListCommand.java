package dev.perch.cli;

import dev.perch.kernel.KernelDescription;
import dev.perch.kernel.Kernels;
import dev.perch.lab.Experiment;
import dev.perch.lab.Experiments;
import dev.perch.lab.TextTable;
import dev.perch.machines.Machines;
import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import dev.perch.sim.workload.WorkloadKind;
import dev.perch.sim.workload.Workloads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perch list}: the machines, kernels, workloads and experiments there are, with where each comes from. */
@Command(
        name = "list",
        description = "List the machines, kernels, workloads or experiments there are.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        footer = {"", "Example: perch list machines"})
final class ListCommand implements Callable<Integer> {
    private static final List<String> KINDS = List.of("machines", "kernels", "workloads", "experiments");

    private final Surroundings surroundings;

    @Parameters(
            arity = "0..1",
            paramLabel = "machines|kernels|workloads|experiments",
            description = "What to list; all four if left out.")
    private String kind = "";

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    /** One thing in a list. */
    record Entry(String name, String title, String source) {}

    ListCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (!kind.isEmpty() && !KINDS.contains(kind)) {
            throw new InputException("there is no list of '" + kind + "'" + Nearest.hint(kind, KINDS));
        }
        Map<String, List<Entry>> lists = new LinkedHashMap<>();
        for (String each : kind.isEmpty() ? KINDS : List.of(kind)) {
            lists.put(each, entries(each, surroundings.home().get()));
        }
        if (json) {
            surroundings.out().println(ListJson.text(lists));
            return 0;
        }
        lists.forEach((name, entries) -> {
            if (lists.size() > 1) {
                surroundings.out().println(name);
            }
            TextTable table = new TextTable(List.of("name", "what it is"), true);
            entries.forEach(entry -> table.add(List.of(entry.name, entry.title + " [" + entry.source + "]")));
            table.lines().stream().skip(1).forEach(surroundings.out()::println);
            if (lists.size() > 1) {
                surroundings.out().println();
            }
        });
        return 0;
    }

    private static List<Entry> entries(String kind, Path home) {
        List<Entry> entries = new ArrayList<>();
        switch (kind) {
            case "machines" -> {
                for (Machines.Entry machine : Machines.list(home)) {
                    entries.add(new Entry(machine.name(), machine.title(), relative(machine.source(), home)));
                }
            }
            case "kernels" -> {
                for (KernelDescription kernel : Kernels.list(home)) {
                    entries.add(new Entry(kernel.name(), kernel.title(), kernel.source()));
                    kernel.patches().values().stream()
                            .filter(patch -> patch.describedBy().equals(kernel.name()))
                            .forEach(patch -> entries.add(new Entry(
                                    kernel.name() + "+" + patch.name(),
                                    patch.title() + fits(patch.fits()),
                                    patch.source())));
                }
            }
            case "workloads" -> {
                for (WorkloadKind workload : Workloads.list()) {
                    entries.add(new Entry(
                            workload.name(), workload.title() + "; measures " + workload.metric(), workload.source()));
                }
            }
            case "experiments" -> {
                for (String name : Experiments.names(home)) {
                    entries.add(experiment(name, home));
                }
            }
            default -> throw new IllegalStateException(kind);
        }
        return entries;
    }

    private static String fits(KernelDescription.Fits fits) {
        return switch (fits) {
            case KernelDescription.Fits.Itself _ -> "";
            case KernelDescription.Fits.Through through -> "; fits up to " + through.last();
            case KernelDescription.Fits.AllLater _ -> "; fits all later ones too";
        };
    }

    /** An experiment whose file is broken is listed too, with what is wrong with it. */
    private static Entry experiment(String name, Path home) {
        try {
            Experiment experiment = Experiments.find(name, home);
            return new Entry(name, experiment.title(), experiment.source());
        } catch (InputException e) {
            return new Entry(
                    name, e.getMessage(), relative(Experiments.file(name, home).toString(), home));
        }
    }

    private static String relative(String source, Path home) {
        Path path = Path.of(source);
        return path.startsWith(home) ? home.relativize(path).toString() : source;
    }
}
