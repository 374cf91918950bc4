package dev.perch.cli;

import dev.perch.lab.results.Contrast.Method;
import dev.perch.lab.results.RatioTable;
import dev.perch.model.InputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How results are compared: the options that tell intervals. */
final class ComparisonOptions {
    @Option(
            names = "--interval",
            paramLabel = "METHOD",
            description = "How intervals of ratios are found: welch (on logarithms; the default) or bootstrap (BCa).")
    private String interval = "welch";

    @Option(names = "--confidence", paramLabel = "PERCENT", description = "Of all intervals (95%%).")
    private @Nullable String confidence;

    @Option(
            names = "--details",
            description = "Also medians, deviations, Welch's and Mann and Whitney's tests, effect sizes.")
    private boolean details;

    /** @throws InputException a method or confidence that there is not */
    RatioTable.Options options(long randomSeed) {
        Method method = switch (interval) {
            case "welch" -> Method.WELCH;
            case "bootstrap" -> Method.BOOTSTRAP;
            default -> throw new InputException("--interval cannot be '" + interval + "'; write welch or bootstrap");
        };
        return new RatioTable.Options(
                method,
                confidence == null ? 0.95 : percent("--confidence", confidence, 50, 99.99),
                randomSeed,
                details);
    }

    /**
     * A percentage as a fraction.
     *
     * @throws InputException not a number, or out of range
     */
    static double percent(String option, String text, double low, double high) {
        String number = text.endsWith("%") ? text.substring(0, text.length() - 1) : text;
        try {
            double percent = Double.parseDouble(number);
            if (percent >= low && percent <= high) {
                return percent / 100;
            }
        } catch (NumberFormatException e) {
            // said below, with the range
        }
        throw new InputException(option + " cannot be '" + text + "'; write a percentage from " + low + "% to " + high
                + "%, as in " + option + " " + (high > 90 ? "95%" : "1%"));
    }
}
