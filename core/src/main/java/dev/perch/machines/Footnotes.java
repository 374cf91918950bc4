package dev.perch.machines;

import dev.perch.model.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The distinct origins, numbered in the order in which they are first asked for. */
final class Footnotes {
    private final Map<String, Origin> origins;
    private final List<Origin> cited = new ArrayList<>();

    Footnotes(Map<String, Origin> origins) {
        this.origins = origins;
    }

    /** The mark of a path, such as {@code [3]}; that of the nearest path above it which has an origin; empty if none has. */
    String of(String path) {
        String at = path;
        while (!origins.containsKey(at)) {
            int cut = Math.max(at.lastIndexOf('.'), at.lastIndexOf('['));
            if (cut < 0) {
                return "";
            }
            at = at.substring(0, cut);
        }
        return mark(origins.get(at));
    }

    /** The marks of everything under a path. */
    String among(String path) {
        StringBuilder marks = new StringBuilder();
        origins.forEach((at, origin) -> {
            boolean under = at.equals(path) || at.startsWith(path + ".") || at.startsWith(path + "[");
            String mark = under ? mark(origin) : "";
            if (under && marks.indexOf(mark) < 0) {
                marks.append(mark);
            }
        });
        return marks.toString();
    }

    /** The kind of origin of a cost with its mark, and those of the parts that have their own. */
    String withKind(String path) {
        Origin origin = origins.get(path);
        String kind = origin == null ? "" : origin.kind().name().toLowerCase(Locale.ROOT) + " ";
        return kind + among(path);
    }

    private String mark(@Nullable Origin origin) {
        if (origin == null) {
            return "";
        }
        if (!cited.contains(origin)) {
            cited.add(origin);
        }
        return "[" + (cited.indexOf(origin) + 1) + "]";
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < cited.size(); i++) {
            String mark = "[" + (i + 1) + "]";
            TopologyDrawing.wrap(
                    "  " + mark + " ".repeat(Math.max(1, 5 - mark.length())),
                    cited.get(i).toString(),
                    lines);
        }
        return lines;
    }
}
