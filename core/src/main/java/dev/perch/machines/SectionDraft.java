package dev.perch.machines;

import dev.perch.model.Origin;
import dev.perch.yaml.ScalarText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A section of a machine file before it is decided where its origins stand; the counterpart of {@link Sourced}.
 *
 * <p>The origin that most of a section's own values have is the section's, if at least two have it or there is but one value; of
 * several the one with the longest text. A section of sections has one if more than half of all values below it have it. Everything else that differs from
 * what is said around it says its own.
 */
final class SectionDraft {
    /** What stands in a section. */
    private sealed interface Part {}

    private record Single(FileNode value, Origin origin) implements Part {}

    private record Entry(FileNode.Fields fields, Origin origin) implements Part {}

    private record Entries(List<Entry> list) implements Part {}

    private record Nested(SectionDraft section) implements Part {}

    private final String path;
    private final OriginPaths origins;
    private final Map<String, Part> parts = new LinkedHashMap<>();

    SectionDraft(String path, OriginPaths origins) {
        this.path = path;
        this.origins = origins;
    }

    private String pathOf(String key) {
        return path + "." + key;
    }

    /** Whether this path has an origin of its own, so that the value wants to be written even where it need not be. */
    boolean isSourced(String key) {
        return origins.at(pathOf(key)).isPresent();
    }

    /** A value that is recorded by its own path. */
    SectionDraft value(String key, FileNode value) {
        parts.put(key, new Single(value, origins.require(pathOf(key))));
        return this;
    }

    /** A map that is recorded as one; its values only where they have their own origin. */
    void entry(String key, Map<String, FileNode> values) {
        parts.put(ScalarText.word(key), entryAt(pathOf(key), values));
    }

    /** A list of such maps. */
    void entries(String key, List<Map<String, FileNode>> list) {
        List<Entry> entries = new ArrayList<>();
        for (Map<String, FileNode> values : list) {
            entries.add(entryAt(pathOf(key) + "[" + entries.size() + "]", values));
        }
        parts.put(key, new Entries(entries));
    }

    /** A map whose values are recorded each by its own path. */
    SectionDraft section(String key) {
        SectionDraft section = new SectionDraft(pathOf(key), origins);
        parts.put(ScalarText.word(key), new Nested(section));
        return section;
    }

    private Entry entryAt(String at, Map<String, FileNode> values) {
        Map<String, FileNode> fields = new LinkedHashMap<>();
        Tally tally = new Tally();
        values.keySet().forEach(key -> tally.add(origins.require(at + "." + key)));
        Origin common = origins.holdingAt(at).orElseGet(() -> tally.most().orElseThrow());
        values.forEach((key, value) -> {
            Origin own = origins.require(at + "." + key);
            fields.put(key, own.equals(common) ? value : FileNode.withOrigin(value, own));
        });
        return new Entry(new FileNode.Fields(fields, false), common);
    }

    /** The section with its origins where they belong; {@code inherited} is what holds around it. */
    FileNode.Fields fields(@Nullable Origin inherited) {
        Origin common = common(inherited);
        Map<String, FileNode> fields = new LinkedHashMap<>();
        if (common != null && !common.equals(inherited)) {
            fields.put("origin", new FileNode.Source(common));
        }
        parts.forEach((key, part) -> fields.put(key, node(part, common)));
        return new FileNode.Fields(fields, true);
    }

    private static FileNode node(Part part, @Nullable Origin around) {
        return switch (part) {
            case Single single ->
                single.origin.equals(around) ? single.value : FileNode.withOrigin(single.value, single.origin);
            case Entry entry -> entryNode(entry, around);
            case Entries entries ->
                new FileNode.Rows(entries.list.stream()
                        .map(entry -> entryNode(entry, around))
                        .toList());
            case Nested nested -> nested.section.fields(around);
        };
    }

    private static FileNode entryNode(Entry entry, @Nullable Origin around) {
        if (entry.origin.equals(around)) {
            return entry.fields;
        }
        Map<String, FileNode> fields = new LinkedHashMap<>(entry.fields.byKey());
        fields.put("origin", new FileNode.Source(entry.origin));
        return new FileNode.Fields(fields, false);
    }

    private @Nullable Origin common(@Nullable Origin inherited) {
        Tally own = new Tally();
        parts.values().forEach(part -> count(part, own, false));
        if (own.total() == 0) {
            Tally all = new Tally();
            parts.values().forEach(part -> count(part, all, true));
            return all.most().filter(most -> 2 * all.of(most) > all.total()).orElse(inherited);
        }
        Optional<Origin> most = own.most().filter(origin -> own.of(origin) > 1 || own.total() == 1);
        boolean inheritedDoes = inherited != null
                && own.of(inherited) > 0
                && own.of(inherited) >= most.map(own::of).orElse(0);
        return inheritedDoes ? inherited : most.orElse(inherited);
    }

    private static void count(Part part, Tally tally, boolean below) {
        switch (part) {
            case Single single -> tally.add(single.origin);
            case Entry entry -> tally.add(entry.origin);
            case Entries entries -> entries.list.forEach(entry -> tally.add(entry.origin));
            case Nested nested -> {
                if (below) {
                    nested.section.parts.values().forEach(inner -> count(inner, tally, true));
                }
            }
        }
    }

    /** How many values have each origin. */
    private static final class Tally {
        private final Map<Origin, Integer> counts = new LinkedHashMap<>();

        void add(Origin origin) {
            counts.merge(origin, 1, Integer::sum);
        }

        int of(Origin origin) {
            return counts.getOrDefault(origin, 0);
        }

        int total() {
            return counts.values().stream().mapToInt(Integer::intValue).sum();
        }

        /** The most frequent one; of several the longest, of equally long ones the first. */
        Optional<Origin> most() {
            Comparator<Origin> order = Comparator.comparingInt(this::of)
                    .thenComparingInt(origin -> origin.text().length());
            return counts.keySet().stream().reduce((first, next) -> order.compare(next, first) > 0 ? next : first);
        }
    }
}
