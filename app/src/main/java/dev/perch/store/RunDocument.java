package dev.perch.store;

import dev.perch.lab.results.Direction;
import dev.perch.lab.results.Labels;
import dev.perch.lab.results.Metric;
import dev.perch.lab.results.Series;
import dev.perch.model.InputException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The file {@code run.json} of a stored run. It begins with {@code "format"}: a reader takes its own and older ones and refuses newer ones.
 *
 * <p>Format 1 is the first. Whoever raises {@link #FORMAT} keeps a reader for each older one, and a run of it among the tests.
 */
final class RunDocument {
    static final String FILE = "run.json";
    static final int FORMAT = 1;

    /** So many bytes hold the format. */
    static final int HEAD = 64;

    private static final Pattern BEGINNING = Pattern.compile("\\s*\\{\\s*\"format\"\\s*:\\s*([1-9][0-9]{0,5})\\b");

    private RunDocument() {}

    /** Writes the generator's way, not through a mapper: every run is stored, and the mapper takes longer to start than all the rest. */
    static byte[] write(StoredRun run) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(new Indented(), bytes)) {
            json.writeStartObject();
            json.writeNumberProperty("format", FORMAT);
            json.writeStringProperty("perch", run.perch());
            json.writeStringProperty("stored", run.stored().toString());
            json.writeBooleanProperty("complete", run.complete());
            json.writeBooleanProperty("measured", run.measured());
            json.writeStringProperty("experiment", run.experiment());
            json.writeStringProperty("title", run.title());
            json.writeStringProperty("source", run.source());
            json.writeNumberProperty("seed", run.seed());
            json.writeNumberProperty("repeats", run.wantedRepeats());
            json.writeNumberProperty("durationNs", run.durationNs());
            json.writeNumberProperty("warmupNs", run.warmupNs());
            texts(json, "machines", run.machines());
            texts(json, "kernels", run.kernels());
            json.writeArrayPropertyStart("rows");
            run.rows().forEach(row -> write(json, row));
            json.writeEndArray();
            json.writeArrayPropertyStart("notes");
            run.notes().forEach(json::writeString);
            json.writeEndArray();
            json.writeEndObject();
        }
        bytes.write('\n');
        return bytes.toByteArray();
    }

    private static final class Indented extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }

    private static void write(JsonGenerator json, StoredRow row) {
        json.writeStartObject();
        json.writeNumberProperty("index", row.index());
        json.writeStringProperty("label", row.label());
        texts(
                json,
                "labels",
                row.series().isEmpty()
                        ? Map.of()
                        : row.series().getFirst().labels().axes());
        json.writeStringProperty("machine", row.machine());
        json.writeStringProperty("kernel", row.kernel());
        json.writeStringProperty("workload", row.workload());
        texts(json, "settings", row.settings());
        json.writeStringProperty("cpuset", row.cpuset());
        json.writeStringProperty("taskset", row.taskset());
        if (row.published().isPresent()) {
            json.writeNumberProperty("published", row.published().getAsDouble());
            json.writeStringProperty("role", row.role());
            json.writeNumberProperty("tolerance", row.tolerance());
        }
        json.writeArrayPropertyStart("repeats");
        row.repeats().forEach(json::writeNumber);
        json.writeEndArray();
        json.writeArrayPropertyStart("metrics");
        for (Series series : row.series()) {
            json.writeStartObject();
            json.writeStringProperty("name", series.metric().name());
            json.writeStringProperty("unit", series.metric().unit());
            json.writeStringProperty("better", series.metric().better().word());
            json.writeArrayPropertyStart("values");
            for (double value : series.repeats()) {
                json.writeNumber(value);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void texts(JsonGenerator json, String name, Map<String, String> texts) {
        json.writeObjectPropertyStart(name);
        texts.forEach(json::writeStringProperty);
        json.writeEndObject();
    }

    /**
     * Reads a document of this or an older format.
     *
     * @param file where it comes from, for messages
     * @throws InputException a newer format, or no document of the kind
     */
    static StoredRun read(byte[] bytes, Path file) {
        checkFormat(bytes, file);
        try {
            return run(JsonMapper.shared().readTree(bytes));
        } catch (JacksonException | DateTimeParseException | IllegalArgumentException e) {
            String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new InputException(file + " is damaged: " + reason, e);
        }
    }

    /**
     * Looks only at the beginning of a document.
     *
     * @param bytes the document, or its first {@link #HEAD} bytes
     * @throws InputException a newer format, or no document of the kind
     */
    static void checkFormat(byte[] bytes, Path file) {
        String head = new String(bytes, 0, Math.min(HEAD, bytes.length), StandardCharsets.ISO_8859_1);
        Matcher format = BEGINNING.matcher(head);
        if (!format.lookingAt()) {
            throw new InputException(file + " is not the description of a stored run: it does not begin with a format");
        }
        int number = Integer.parseInt(format.group(1));
        if (number > FORMAT) {
            throw new InputException(file + " has format " + number + ", which a newer Perch wrote; this one reads "
                    + (FORMAT == 1 ? "format 1" : "formats up to " + FORMAT));
        }
    }

    private static StoredRun run(JsonNode json) {
        List<StoredRow> rows = new ArrayList<>();
        json.required("rows").forEach(row -> rows.add(row(row)));
        List<String> notes = new ArrayList<>();
        json.required("notes").forEach(note -> notes.add(note.asString()));
        return new StoredRun(
                json.required("perch").asString(),
                Instant.parse(json.required("stored").asString()),
                json.required("complete").asBoolean(),
                json.path("measured").asBoolean(false),
                json.required("experiment").asString(),
                json.required("title").asString(),
                json.required("source").asString(),
                json.required("seed").asLong(),
                json.required("repeats").asInt(),
                json.required("durationNs").asLong(),
                json.required("warmupNs").asLong(),
                texts(json.required("machines")),
                texts(json.required("kernels")),
                rows,
                notes);
    }

    private static StoredRow row(JsonNode json) {
        Labels labels = new Labels(texts(json.required("labels")));
        List<Integer> repeats = new ArrayList<>();
        json.required("repeats").forEach(repeat -> repeats.add(repeat.asInt()));
        List<Series> series = new ArrayList<>();
        for (JsonNode metric : json.required("metrics")) {
            List<Double> values = new ArrayList<>();
            metric.required("values").forEach(value -> values.add(value.asDouble()));
            series.add(new Series(
                    labels,
                    new Metric(
                            metric.required("name").asString(),
                            metric.required("unit").asString(),
                            Direction.parse(metric.required("better").asString(), "metric")),
                    values.stream().mapToDouble(Double::doubleValue).toArray()));
        }
        return new StoredRow(
                json.required("index").asInt(),
                json.required("label").asString(),
                json.required("machine").asString(),
                json.required("kernel").asString(),
                json.required("workload").asString(),
                texts(json.required("settings")),
                json.required("cpuset").asString(),
                json.required("taskset").asString(),
                json.has("published")
                        ? OptionalDouble.of(json.required("published").asDouble())
                        : OptionalDouble.empty(),
                json.path("role").asString(""),
                json.path("tolerance").asDouble(0),
                repeats,
                series);
    }

    private static Map<String, String> texts(JsonNode json) {
        Map<String, String> texts = new LinkedHashMap<>();
        json.properties()
                .forEach(text -> texts.put(text.getKey(), text.getValue().asString()));
        return texts;
    }
}
