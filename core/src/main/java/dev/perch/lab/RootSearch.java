package dev.perch.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * Finds the whole number at which a function comes nearest to 0, with as few evaluations as it can: secant steps until two signs are
 * seen, then the secant through the bracket with every third step a bisection.
 *
 * <p>The function should be monotone; small unevenness (a simulation's) is tolerated, and the answer is then one of the nearest.
 */
public final class RootSearch {
    private static final int MOST_EVALUATIONS = 60;

    private final IntToDoubleFunction function;
    private final int max;
    private final double tolerance;
    private final List<Point> points = new ArrayList<>();

    /** A place where the function was evaluated. */
    public record Point(int x, double y) {}

    /** @param max largest argument that makes sense; the smallest is 0 */
    RootSearch(IntToDoubleFunction function, int max) {
        this(function, max, 0);
    }

    /**
     * @param max largest argument that makes sense; the smallest is 0
     * @param tolerance a value no farther from 0 than this is near enough
     */
    public RootSearch(IntToDoubleFunction function, int max, double tolerance) {
        this.function = function;
        this.max = max;
        this.tolerance = tolerance;
    }

    /**
     * Searches.
     *
     * @param start first argument tried
     * @param slope change of the function by 1, if known from an earlier search; otherwise 0
     * @return the nearest point; {@link #slope} tells how steep the function is there
     */
    public Point find(int start, double slope) {
        Point point = evaluate(Math.clamp(start, 0, max));
        if (isNear(point, slope)) {
            return point;
        }
        int step = Math.max(1, point.x / 4);
        evaluate(point.x + step <= max ? point.x + step : Math.max(0, point.x - step));
        while (points.size() < MOST_EVALUATIONS) {
            Point best = best();
            if (isNear(best, slope())) {
                return best;
            }
            int next = next();
            if (next < 0) {
                return best;
            }
            evaluate(next);
        }
        return best();
    }

    /** Change of the function by 1 between the two points nearest to the root; 0 before a second evaluation. */
    public double slope() {
        if (points.size() < 2) {
            return 0;
        }
        Point a = best();
        Point b = nearestOther(a);
        return (b.y - a.y) / (b.x - a.x);
    }

    private boolean isNear(Point point, double slope) {
        return Math.abs(point.y) <= Math.max(tolerance, Math.abs(slope) / 2);
    }

    private Point evaluate(int x) {
        Point point = new Point(x, function.applyAsDouble(x));
        points.add(point);
        return point;
    }

    private Point best() {
        Point best = points.getFirst();
        for (Point point : points) {
            if (Math.abs(point.y) < Math.abs(best.y) || Math.abs(point.y) == Math.abs(best.y) && point.x < best.x) {
                best = point;
            }
        }
        return best;
    }

    /** The point next to {@code best} on the other side of the root, or, if the root is not enclosed yet, the second best. */
    private Point nearestOther(Point best) {
        Point other = best;
        for (Point point : points) {
            if (point.x == best.x) {
                continue;
            }
            boolean across = Math.signum(point.y) != Math.signum(best.y);
            boolean otherAcross = other.x != best.x && Math.signum(other.y) != Math.signum(best.y);
            boolean nearer = across == otherAcross
                    && (across
                            ? Math.abs(point.x - best.x) < Math.abs(other.x - best.x)
                            : Math.abs(point.y) < Math.abs(other.y));
            if (other.x == best.x || across && !otherAcross || nearer) {
                other = point;
            }
        }
        return other;
    }

    /** Where to look next, or −1 if no place is left. */
    private int next() {
        Point a = best();
        Point b = nearestOther(a);
        double slope = (b.y - a.y) / (b.x - a.x);
        if (Math.signum(a.y) != Math.signum(b.y)) {
            int low = Math.min(a.x, b.x);
            int high = Math.max(a.x, b.x);
            if (high - low <= 1) {
                return -1;
            }
            int guess = points.size() % 3 == 2 ? low + (high - low) / 2 : rounded(a.x - a.y / slope);
            return Math.clamp(guess, low + 1, high - 1);
        }
        int lowest = points.stream().mapToInt(Point::x).min().orElseThrow();
        int highest = points.stream().mapToInt(Point::x).max().orElseThrow();
        int reach = Math.max(16, 2 * highest);
        boolean upwards = slope == 0 ? a.x == highest : -a.y / slope > 0;
        int limit = upwards ? Math.min(max, highest + reach) : Math.max(0, lowest - reach);
        if (limit == highest && upwards || limit == lowest && !upwards) {
            return -1;
        }
        int guess = slope == 0 ? limit : rounded(a.x - a.y / slope);
        return upwards ? Math.clamp(guess, highest + 1, limit) : Math.clamp(guess, limit, lowest - 1);
    }

    private int rounded(double x) {
        return (int) Math.clamp(StrictMath.rint(x), -1.0, max + 1.0);
    }
}
