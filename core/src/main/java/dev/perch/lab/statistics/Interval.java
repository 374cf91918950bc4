package dev.perch.lab.statistics;

/**
 * A confidence interval, its ends included.
 *
 * @param low lower end
 * @param high upper end, not below {@code low}
 */
public record Interval(double low, double high) {
    /** Half of its width. */
    public double halfWidth() {
        return (high - low) / 2;
    }

    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
