package dev.perch.cli;

import dev.perch.lab.ExperimentResult;
import dev.perch.lab.Precision;
import dev.perch.lab.ResultTable;
import dev.perch.lab.results.Comparison;
import dev.perch.lab.results.Contrast;
import dev.perch.lab.results.ExperimentSeries;
import dev.perch.lab.results.Labels;
import dev.perch.lab.results.RatioTable;
import dev.perch.lab.results.ResultSet;
import dev.perch.model.InputException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@code perch run} prints of a result. */
final class RunOutput {
    private final Surroundings surroundings;
    private final boolean json;
    private final @Nullable Precision precision;
    private final @Nullable TableForm form;
    private final long randomSeed;

    /**
     * @param table what the user gives for {@code --table}, or null
     * @throws InputException a form that there is not, or one beside JSON
     */
    RunOutput(
            Surroundings surroundings,
            boolean json,
            @Nullable Precision precision,
            @Nullable String table,
            long randomSeed) {
        this.surroundings = surroundings;
        this.json = json;
        this.precision = precision;
        this.form = table == null ? null : TableForm.parse(table);
        this.randomSeed = randomSeed;
        if (json && table != null) {
            throw new InputException("--table and --json contradict each other; leave one out");
        }
    }

    /** How exactly the rows shall be known; null if they are run a fixed number of times. */
    @Nullable
    Precision precision() {
        return precision;
    }

    void print(ExperimentResult result) {
        if (json) {
            surroundings.out().print(RunJson.result(result));
        } else if (form != null) {
            comparison(form, result).forEach(surroundings.out()::println);
        } else {
            ResultTable.lines(result).forEach(surroundings.out()::println);
        }
        if (precision != null && !json) {
            precision.report(result).forEach(surroundings.out()::println);
        }
        surroundings.out().flush();
    }

    /** The kernels of the experiment side by side; a single one alone. */
    private List<String> comparison(TableForm form, ExperimentResult result) {
        ResultSet all = ExperimentSeries.of(result.plan().experiment().name(), "", result)
                .main(false);
        long kernels = all.series().stream()
                .map(series -> series.labels().get(Labels.KERNEL))
                .distinct()
                .count();
        List<ResultSet> sets = kernels > 1 ? all.split(Labels.KERNEL) : List.of(all);
        return form.lines(
                Comparison.of(sets, Set.of()), new RatioTable.Options(Contrast.Method.WELCH, 0.95, randomSeed, false));
    }
}
