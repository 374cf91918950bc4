package dev.perch.lab.results;

import dev.perch.lab.statistics.Interval;
import dev.perch.lab.statistics.MeanInterval;
import dev.perch.lab.statistics.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A comparison as a document for JSON. What there is not, such as an interval of one repeat, is left out. */
public final class ComparisonJson {
    private ComparisonJson() {}

    public static Map<String, Object> of(Comparison comparison, RatioTable.Options options) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", 1);
        document.put("confidence", options.confidence());
        document.put("method", options.method().word());
        document.put("randomSeed", options.randomSeed());
        document.put("common", comparison.common().axes());
        List<Map<String, Object>> sets = new ArrayList<>();
        for (ResultSet set : comparison.sets()) {
            Map<String, Object> node = new LinkedHashMap<>();
            node.put("name", set.name());
            node.put("source", set.source());
            node.put("labels", comparison.distinction(set).axes());
            sets.add(node);
        }
        document.put("sets", sets);
        document.put(
                "rows",
                comparison.rows().stream()
                        .map(row -> row(row, comparison, options))
                        .toList());
        return document;
    }

    private static Map<String, Object> row(Comparison.Row row, Comparison comparison, RatioTable.Options options) {
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("labels", row.labels().axes());
        node.put("metric", row.metric().name());
        node.put("unit", row.metric().unit());
        node.put("better", row.metric().better().word());
        List<Map<String, Object>> values = new ArrayList<>();
        List<Map<String, Object>> contrasts = new ArrayList<>();
        Optional<Series> baseline = Optional.empty();
        for (int column = 0; column < row.cells().size(); column++) {
            Optional<Series> cell = row.cells().get(column);
            if (cell.isEmpty()) {
                continue;
            }
            String name = comparison.sets().get(column).name();
            values.add(values(name, new Sample(cell.get().repeats()), options));
            if (baseline.isEmpty()) {
                baseline = cell;
            } else {
                Contrast contrast = Contrast.of(
                        baseline.get(), cell.get(), options.method(), options.confidence(), options.randomSeed());
                contrasts.add(contrast(name, contrast));
            }
        }
        node.put("values", values);
        node.put("comparisons", contrasts);
        return node;
    }

    private static Map<String, Object> values(String set, Sample sample, RatioTable.Options options) {
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("set", set);
        node.put("repeats", Arrays.stream(sample.values()).boxed().toList());
        node.put("mean", sample.mean());
        putFinite(node, "harmonicMean", sample.harmonicMean());
        putFinite(node, "geometricMean", sample.geometricMean());
        node.put("median", sample.median());
        node.put("min", sample.min());
        node.put("max", sample.max());
        putFinite(node, "stddev", sample.standardDeviation());
        MeanInterval.of(sample, options.confidence()).ifPresent(interval -> node.put("interval", ends(interval)));
        return node;
    }

    private static Map<String, Object> contrast(String set, Contrast contrast) {
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("set", set);
        contrast.ratio().ifPresent(ratio -> node.put("ratio", ratio));
        contrast.interval().ifPresent(interval -> node.put("interval", ends(interval)));
        node.put("verdict", contrast.verdict().words());
        if (!contrast.reason().isEmpty()) {
            node.put("reason", contrast.reason());
        }
        contrast.welch().ifPresent(test -> {
            Map<String, Object> welch = new LinkedHashMap<>();
            welch.put("t", test.t());
            welch.put("degreesOfFreedom", test.degreesOfFreedom());
            welch.put("p", test.p());
            node.put("welch", welch);
        });
        contrast.mannWhitney().ifPresent(test -> {
            Map<String, Object> ranks = new LinkedHashMap<>();
            ranks.put("u", test.u());
            ranks.put("p", test.p());
            ranks.put("a12", test.a12());
            ranks.put("rankBiserial", test.rankBiserial());
            node.put("mannWhitney", ranks);
        });
        contrast.effect().ifPresent(effect -> {
            node.put("cohenD", effect.d());
            node.put("hedgesG", effect.g());
        });
        return node;
    }

    private static void putFinite(Map<String, Object> node, String key, double value) {
        if (Double.isFinite(value)) {
            node.put(key, value);
        }
    }

    private static List<Double> ends(Interval interval) {
        return List.of(interval.low(), interval.high());
    }
}
