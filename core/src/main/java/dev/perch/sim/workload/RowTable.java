package dev.perch.sim.workload;

import dev.perch.model.Cost;
import java.util.List;

/**
 * Kinds of operation that a task does in random turn, one a row: how often each comes, what it costs and what it counts for.
 *
 * <p>The same table need not hold everything: which column is read depends on the operation that names it. Identity, not content, tells
 * tables apart.
 */
public final class RowTable {
    /** Weights of rows 0 … i added up. */
    private final int[] weightUpTo;

    public final int[] coreNs;
    public final int[] wallNs;
    public final int[] lines;
    /** What a row adds to the instance's amount, such as bytes. */
    public final int[] amount;

    /**
     * One kind of operation.
     *
     * @param weight how often it comes, relative to the others; 0 or more
     * @param amount what it counts for, 0 or more
     */
    public record Row(int weight, Cost cost, int amount) {}

    /** @throws IllegalArgumentException if there is no row, or the weights are all 0 or too large in sum */
    public RowTable(List<Row> rows) {
        int count = rows.size();
        weightUpTo = new int[count];
        coreNs = new int[count];
        wallNs = new int[count];
        lines = new int[count];
        amount = new int[count];
        long sum = 0;
        for (int row = 0; row < count; row++) {
            sum += rows.get(row).weight();
            weightUpTo[row] = (int) sum;
            coreNs[row] = rows.get(row).cost().coreNs();
            wallNs[row] = rows.get(row).cost().wallNs();
            lines[row] = rows.get(row).cost().lines();
            amount[row] = rows.get(row).amount();
        }
        if (sum < 1 || sum > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("weights of " + count + " rows add up to " + sum);
        }
    }

    /** Sum of the weights. */
    public int weight() {
        return weightUpTo[weightUpTo.length - 1];
    }

    /** The row that {@code ticket} falls on, 0 … {@link #weight} − 1. */
    public int rowOf(int ticket) {
        int row = 0;
        while (weightUpTo[row] <= ticket) {
            row++;
        }
        return row;
    }
}
