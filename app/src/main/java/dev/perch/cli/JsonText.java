package dev.perch.cli;

import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** JSON as {@code --json} prints it: indented, with {@code "schema": 1} first. Used only with that option: it costs start-up time. */
final class JsonText {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private JsonText() {}

    /** A new document. */
    static ObjectNode document() {
        return MAPPER.createObjectNode().put("schema", 1);
    }

    /** A document made of maps, lists and plain values, {@code schema} included, with a line end. */
    static String write(Map<String, ?> document) {
        return MAPPER.writeValueAsString(document) + "\n";
    }

    /** The text with a line end. */
    static String write(ObjectNode document) {
        return MAPPER.writeValueAsString(document) + "\n";
    }
}
