package dev.perch.cli;

import dev.perch.lab.results.Comparison;
import dev.perch.lab.results.MmtestsTable;
import dev.perch.lab.results.RatioTable;
import dev.perch.model.InputException;
import java.util.List;

/** How a comparison is printed. */
enum TableForm {
    /** With the interval of each ratio. */
    RATIO,
    /** As mmtests prints it. */
    MMTESTS,
    /** The same with all its statistics. */
    MMTESTS_FULL;

    /** @throws InputException any other word */
    static TableForm parse(String word) {
        return switch (word) {
            case "ratio" -> RATIO;
            case "mmtests" -> MMTESTS;
            case "mmtests-full" -> MMTESTS_FULL;
            default ->
                throw new InputException("--table cannot be '" + word + "'; write ratio, mmtests or mmtests-full");
        };
    }

    List<String> lines(Comparison comparison, RatioTable.Options options) {
        return switch (this) {
            case RATIO -> RatioTable.lines(comparison, options);
            case MMTESTS -> MmtestsTable.lines(comparison, MmtestsTable.Form.SHORT);
            case MMTESTS_FULL -> MmtestsTable.lines(comparison, MmtestsTable.Form.FULL);
        };
    }
}
