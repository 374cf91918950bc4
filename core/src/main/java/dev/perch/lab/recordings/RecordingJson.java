package dev.perch.lab.recordings;

import dev.perch.lab.recordings.RecordingComparison.Line;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The comparison of two recordings as a document for JSON. What there is not, such as an interval of few blocks, is left out. */
public final class RecordingJson {
    private RecordingJson() {}

    public static Map<String, Object> of(RecordingComparison comparison) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", 1);
        document.put("confidence", comparison.confidence());
        document.put("method", "block bootstrap, BCa");
        document.put("recordings", List.of(recording(comparison.first()), recording(comparison.second())));
        document.put("wakeups", lines(comparison.whole()));
        document.put("pairs", lines(comparison.pairs()));
        document.put("pairsOnlyInFirst", comparison.pairsOnlyIn(true));
        document.put("pairsOnlyInSecond", comparison.pairsOnlyIn(false));
        return document;
    }

    private static Map<String, Object> recording(RecordingBlocks recording) {
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("name", recording.name());
        node.put("seconds", recording.duration());
        node.put("wakeups", recording.wakeupCount());
        node.put("blocks", recording.blockCount());
        node.put("blockNs", recording.lengthNs());
        return node;
    }

    private static List<Map<String, Object>> lines(List<Line> lines) {
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (Line line : lines) {
            Map<String, Object> node = new LinkedHashMap<>();
            if (!line.subject().isEmpty()) {
                node.put("pair", line.subject());
            }
            node.put("metric", line.metric().name());
            node.put("unit", line.metric().unit());
            node.put("better", line.metric().better().word());
            node.put("values", List.of(line.first(), line.second()));
            if (Double.isFinite(line.value())) {
                node.put(
                        switch (line.effect()) {
                            case RATIO -> "ratio";
                            case DIFFERENCE -> "difference";
                        },
                        line.value());
            }
            line.interval().ifPresent(interval -> node.put("interval", List.of(interval.low(), interval.high())));
            node.put("verdict", line.verdict().words());
            nodes.add(node);
        }
        return nodes;
    }
}
