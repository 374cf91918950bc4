package dev.perch.cli;

import dev.perch.store.QueryOutput;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Rows as JSON: {@code "columns"}, then {@code "rows"} with an object each. Numbers and truth values are such, all else is text; a number
 * that is none (an infinity) is text too. A second column of the same name gets a number.
 */
final class JsonOutput implements QueryOutput {
    private final PrintStream out;
    private final JsonGenerator json;
    private List<String> names = List.of();

    JsonOutput(PrintStream out) {
        this.out = out;
        JsonFactory factory = JsonFactory.builder()
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .build();
        json = factory.createGenerator(ObjectWriteContext.empty(), out);
    }

    @Override
    public void begin(List<String> columns) {
        names = distinct(columns);
        json.writeStartObject();
        json.writeNumberProperty("schema", 1);
        json.writeArrayPropertyStart("columns");
        names.forEach(json::writeString);
        json.writeEndArray();
        json.writeArrayPropertyStart("rows");
    }

    private static List<String> distinct(List<String> columns) {
        List<String> names = new ArrayList<>();
        for (String column : columns) {
            String name = column;
            for (int number = 2; names.contains(name); number++) {
                name = column + "_" + number;
            }
            names.add(name);
        }
        return names;
    }

    @Override
    public void row(@Nullable Object[] cells) {
        json.writeRaw('\n');
        json.writeStartObject();
        for (int i = 0; i < cells.length; i++) {
            json.writeName(names.get(i));
            value(cells[i]);
        }
        json.writeEndObject();
    }

    private void value(@Nullable Object cell) {
        switch (cell) {
            case null -> json.writeNull();
            case Boolean flag -> json.writeBoolean(flag);
            case Double number when number.isNaN() || number.isInfinite() -> json.writeString(number.toString());
            case Double number -> json.writeNumber(number);
            case Float number when number.isNaN() || number.isInfinite() -> json.writeString(number.toString());
            case Float number -> json.writeNumber(number);
            case BigDecimal number -> json.writeNumber(number);
            case BigInteger number -> json.writeNumber(number);
            case Number number -> json.writeNumber(number.longValue());
            case Object other -> json.writeString(other.toString());
        }
    }

    @Override
    public void end() {
        json.writeEndArray();
        json.writeEndObject();
        json.close();
        out.println();
    }
}
