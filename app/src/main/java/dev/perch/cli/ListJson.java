package dev.perch.cli;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Lists as JSON. */
final class ListJson {
    private ListJson() {}

    static String text(Map<String, List<ListCommand.Entry>> lists) {
        ObjectNode document = JsonText.document();
        lists.forEach((kind, entries) -> {
            ArrayNode list = document.putArray(kind);
            for (ListCommand.Entry entry : entries) {
                list.addObject()
                        .put("name", entry.name())
                        .put("title", entry.title())
                        .put("source", entry.source());
            }
        });
        return JsonText.write(document);
    }
}
