package dev.perch.cli;

import dev.perch.store.QueryOutput;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows in columns for people: numbers right, all else left. The first {@value #LOOK_AHEAD} rows say how wide the columns are, so that a long
 * result is never held whole; a wider cell after them shifts its line.
 */
final class TableOutput implements QueryOutput {
    private static final int LOOK_AHEAD = 1000;
    private static final int DIGITS = 10;
    private static final String GAP = "  ";

    private final PrintStream out;
    private final List<String[]> waiting = new ArrayList<>();
    private int[] widths = new int[0];
    private boolean[] numbers = new boolean[0];
    private boolean laidOut;

    TableOutput(PrintStream out) {
        this.out = out;
    }

    @Override
    public void begin(List<String> columns) {
        widths = new int[columns.size()];
        numbers = new boolean[columns.size()];
        waiting.add(columns.toArray(String[]::new));
    }

    @Override
    public void row(@Nullable Object[] cells) {
        String[] texts = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            texts[i] = text(cells[i]);
            numbers[i] |= cells[i] instanceof Number;
        }
        if (laidOut) {
            print(texts);
            return;
        }
        waiting.add(texts);
        if (waiting.size() > LOOK_AHEAD) {
            layOut();
        }
    }

    private static String text(@Nullable Object cell) {
        return switch (cell) {
            case null -> "";
            case Double number when !number.isNaN() && !number.isInfinite() -> shortText(number);
            case Object other -> other.toString().replaceAll("\\R", " ");
        };
    }

    /** A number with ten digits at most, without an exponent unless it is very large or small. */
    private static String shortText(double number) {
        BigDecimal rounded =
                new BigDecimal(number).round(new MathContext(DIGITS)).stripTrailingZeros();
        boolean plain = number == 0 || Math.abs(number) >= 1e-6 && Math.abs(number) < 1e15;
        return plain ? rounded.toPlainString() : rounded.toString();
    }

    private void layOut() {
        for (String[] row : waiting) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        laidOut = true;
        waiting.forEach(this::print);
        waiting.clear();
    }

    private void print(String[] row) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.length; i++) {
            String blanks = " ".repeat(Math.max(0, widths[i] - row[i].length()));
            line.append(i == 0 ? "" : GAP).append(numbers[i] ? blanks + row[i] : row[i] + blanks);
        }
        out.println(line.toString().stripTrailing());
    }

    @Override
    public void end() {
        if (!laidOut) {
            layOut();
        }
    }
}
