package dev.perch.lab;

import dev.perch.model.CpuMask;
import dev.perch.sim.Settings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An experiment: what is run, how often and how long, and what was published about it. Immutable; {@link ExperimentFile} reads it,
 * {@link ExperimentPlan} turns it into rows.
 *
 * @param name such as {@code westmere-one-pair}
 * @param title one line for people
 * @param source where the published values come from; empty for an experiment given by hand
 * @param metric unit in which results are compared, such as {@code transactions/s}; empty: whatever the workload measures
 * @param repeats runs of each row, 1 or more
 * @param durationNs simulated time measured in each run
 * @param warmupNs simulated time before that
 * @param blocks each a table of its own
 * @param calibration the constants that this experiment fixes, in the order in which they are found
 * @param notes what the reader of the results must know, shown under them
 */
public record Experiment(
        String name,
        String title,
        String source,
        String metric,
        int repeats,
        long durationNs,
        long warmupNs,
        List<Block> blocks,
        List<CalibrationStep> calibration,
        List<String> notes) {

    public static final int DEFAULT_REPEATS = 10;
    public static final long DEFAULT_DURATION_NS = 1_000_000_000L;
    public static final long DEFAULT_WARMUP_NS = 300_000_000L;

    public Experiment {
        blocks = List.copyOf(blocks);
        calibration = List.copyOf(calibration);
        notes = List.copyOf(notes);
    }

    /**
     * Machines × kernels × workloads × readings.
     *
     * @param title heading of the table; may be empty
     * @param cpuset exclusive cpuset, empty for none
     * @param taskset affinity of tasks that are not pinned, empty for none
     */
    public record Block(
            String title,
            List<Choice> machines,
            List<Choice> kernels,
            List<Choice> workloads,
            List<Reading> readings,
            CpuMask cpuset,
            CpuMask taskset,
            List<Published> published) {
        public Block {
            machines = List.copyOf(machines);
            kernels = List.copyOf(kernels);
            workloads = List.copyOf(workloads);
            readings = List.copyOf(readings);
            published = List.copyOf(published);
        }
    }

    /**
     * One value of an axis.
     *
     * @param label what tables show
     * @param expression what is run: a machine's name, a kernel expression, a workload expression
     */
    public record Choice(String label, String expression) {}

    /**
     * One set of settings: a way to read what the publication leaves open.
     *
     * @param label heading of the table; may be empty
     * @param judged whether published values have a role here; if not, they are only shown beside the results
     */
    public record Reading(String label, Settings settings, boolean judged) {}

    /** What a published value is to the model. */
    public enum Role {
        /** An input: a constant of the machine was found with it. */
        CALIBRATION,
        /** Never used to find a constant; the model must meet it by itself. */
        PREDICTION;

        /** The word in files and JSON. */
        public String word() {
            return this == CALIBRATION ? "calibration" : "prediction";
        }
    }

    /**
     * A published value.
     *
     * @param row which row it belongs to
     * @param value in the experiment's metric
     * @param runs the single runs that {@code value} is the mean of, if they were published
     * @param role what it is to the model; null if it is only shown
     * @param tolerance how far off a prediction may be, as a fraction of {@code value}; 0 where nothing is judged
     */
    public record Published(
            RowKey row,
            double value,
            List<Double> runs,
            @Nullable Role role,
            double tolerance) {
        public Published {
            runs = List.copyOf(runs);
        }
    }

    /**
     * How constants of a machine file are found: by hitting one published value.
     *
     * @param shares path of each constant ({@code costs.idle-exit.core}) with its share of the sum that is looked for; a single one has 1
     * @param row the row to hit
     * @param start where the search begins, in the constant's unit
     */
    public record CalibrationStep(Map<String, Integer> shares, RowKey row, int start) {
        public CalibrationStep {
            shares = Collections.unmodifiableMap(new LinkedHashMap<>(shares));
        }
    }
}
