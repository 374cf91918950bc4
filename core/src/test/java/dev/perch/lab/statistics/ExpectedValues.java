package dev.perch.lab.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** What other tools say of the samples in {@code samples.csv}: scipy (expected.py) and R (expected.R). */
final class ExpectedValues {
    private ExpectedValues() {}

    /** Two samples. */
    record Pair(String name, Sample first, Sample second) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Pair> pairs() {
        return rows("samples.csv").stream()
                .map(cells -> new Pair(cells[0], sample(cells[1]), sample(cells[2])))
                .toList();
    }

    /** What scipy says. */
    static double fromScipy(Pair pair, String quantity) {
        return value("expected.csv", pair, quantity);
    }

    /** What R says. */
    static double fromR(Pair pair, String quantity) {
        return value("expected-r.csv", pair, quantity);
    }

    private static double value(String file, Pair pair, String quantity) {
        List<String[]> found = rows(file).stream()
                .filter(cells -> cells[0].equals(pair.name()) && cells[1].equals(quantity))
                .toList();
        assertThat(found).as(file + " " + pair + " " + quantity).hasSize(1);
        return Double.parseDouble(found.getFirst()[2]);
    }

    private static Sample sample(String text) {
        return new Sample(
                Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray());
    }

    private static List<String[]> rows(String file) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(ExpectedValues.class.getResourceAsStream(file), file),
                StandardCharsets.UTF_8))) {
            return reader.lines().skip(1).map(line -> line.split(",")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
