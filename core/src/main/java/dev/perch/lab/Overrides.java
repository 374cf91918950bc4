package dev.perch.lab;

import dev.perch.lab.Experiment.Block;
import dev.perch.lab.Experiment.Choice;
import dev.perch.lab.Experiment.Reading;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.sim.Settings;
import dev.perch.sim.SettingsText;
import dev.perch.sim.workload.WorkloadExpression;
import dev.perch.workloads.WorkloadFiles;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a user changes about an experiment, or all of one that is given by hand.
 *
 * <p>Published values stay beside the rows that are still the same. Where a setting, the cpuset or the affinity is changed they are
 * only shown: the row is no longer what was published.
 *
 * @param machines instead of the experiment's, unless empty
 * @param kernels instead of the experiment's, unless empty
 * @param workloads instead of the experiment's, unless empty
 * @param settings {@code KEY=VALUE} each, on top of the experiment's
 * @param cpuset instead of the experiment's; an empty mask lifts it
 * @param taskset instead of the experiment's; an empty mask lifts it
 */
public record Overrides(
        List<String> machines,
        List<String> kernels,
        List<String> workloads,
        List<String> settings,
        Optional<CpuMask> cpuset,
        Optional<CpuMask> taskset,
        OptionalInt repeats,
        OptionalLong durationNs,
        OptionalLong warmupNs) {
    public Overrides {
        machines = List.copyOf(machines);
        kernels = List.copyOf(kernels);
        workloads = List.copyOf(workloads);
        settings = List.copyOf(settings);
    }

    /** Name of the experiment that {@link #byHand} makes. */
    public static final String BY_HAND = "by-hand";

    /** The experiment with the changes. */
    public Experiment apply(Experiment experiment) {
        return new Experiment(
                experiment.name(),
                experiment.title(),
                experiment.source(),
                workloads.isEmpty() ? experiment.metric() : "",
                repeats.orElse(experiment.repeats()),
                durationNs.orElse(experiment.durationNs()),
                warmupNs.orElse(experiment.warmupNs()),
                experiment.blocks().stream().map(this::apply).distinct().toList(),
                experiment.calibration(),
                experiment.notes());
    }

    /**
     * An experiment of these values alone. Where a workload file says how long to run, and nobody else does, it is run from its start for that
     * long.
     *
     * @throws InputException if workload, machine or kernel is missing
     */
    public Experiment byHand() {
        require(workloads, "--workload", "tcp-rr");
        require(machines, "--machine", "e5620");
        require(kernels, "--kernel", "v3.2");
        Block block = new Block(
                "",
                choices(machines, List.of()),
                choices(kernels, List.of()),
                choices(workloads, List.of()),
                List.of(new Reading("", changed(Settings.DEFAULT), true)),
                cpuset.orElse(CpuMask.empty()),
                taskset.orElse(CpuMask.empty()),
                List.of());
        OptionalLong own = durationOfFiles();
        return new Experiment(
                BY_HAND,
                String.join(", ", workloads) + " on " + String.join(", ", machines),
                "",
                "",
                repeats.orElse(Experiment.DEFAULT_REPEATS),
                durationNs.orElse(own.orElse(Experiment.DEFAULT_DURATION_NS)),
                warmupNs.orElse(durationNs.isEmpty() && own.isPresent() ? 0 : Experiment.DEFAULT_WARMUP_NS),
                List.of(block),
                List.of(),
                List.of());
    }

    /** The longest time that the workload files name. */
    private OptionalLong durationOfFiles() {
        return workloads.stream()
                .flatMap(workload -> WorkloadFiles.read(WorkloadExpression.parse(workload)).stream())
                .flatMap(item -> item.described().stream())
                .flatMapToLong(file -> file.durationNs().stream())
                .max();
    }

    private static void require(List<String> values, String option, String example) {
        if (values.isEmpty()) {
            throw new InputException("no " + option
                    + " given; name an experiment (perch list experiments), or give --workload, --machine and --kernel, as in "
                    + option + " " + example);
        }
    }

    private Block apply(Block block) {
        boolean moved = cpuset.isPresent() && !cpuset.get().equals(block.cpuset())
                || taskset.isPresent() && !taskset.get().equals(block.taskset());
        return new Block(
                block.title(),
                choices(machines, block.machines()),
                choices(kernels, block.kernels()),
                choices(workloads, block.workloads()),
                readings(block.readings(), moved),
                cpuset.orElse(block.cpuset()),
                taskset.orElse(block.taskset()),
                block.published());
    }

    /** The values given, under the labels that the experiment has for them, or else the experiment's own. */
    private static List<Choice> choices(List<String> given, List<Choice> own) {
        if (given.isEmpty()) {
            return own;
        }
        Set<Choice> choices = new LinkedHashSet<>();
        for (String expression : given) {
            choices.add(own.stream()
                    .filter(choice -> choice.expression().equals(expression))
                    .findFirst()
                    .orElse(new Choice(expression, expression)));
        }
        return List.copyOf(choices);
    }

    /** The readings with the changes; of those that become equal, the one that was so from the start. */
    private List<Reading> readings(List<Reading> own, boolean moved) {
        List<Reading> readings = new ArrayList<>();
        for (Reading reading : own) {
            Settings settings = changed(reading.settings());
            boolean untouched = settings.equals(reading.settings());
            boolean elsewhere = own.stream().anyMatch(other -> other.settings().equals(settings));
            boolean already =
                    readings.stream().anyMatch(other -> other.settings().equals(settings));
            if (!already && (untouched || !elsewhere)) {
                readings.add(new Reading(reading.label(), settings, reading.judged() && untouched && !moved));
            }
        }
        return readings;
    }

    private Settings changed(Settings settings) {
        Settings changed = settings;
        for (String assignment : this.settings) {
            changed = SettingsText.with(changed, assignment);
        }
        return changed;
    }
}
