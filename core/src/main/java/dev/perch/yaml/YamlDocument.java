package dev.perch.yaml;

import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads one YAML 1.2 document whose root is a map.
 *
 * <p>Refused, with the line: broken YAML, a key twice in one map, keys that are not single values, more than one document, anchors,
 * aliases and tags, and nesting deeper than {@value #MAX_DEPTH}.
 */
public final class YamlDocument {
    private static final int MAX_DEPTH = 64;

    private final String file;
    private final Iterator<Event> events;

    private YamlDocument(String file, Iterator<Event> events) {
        this.file = file;
        this.events = events;
    }

    /**
     * Reads a file.
     *
     * @return its root
     * @throws InputException a file that cannot be read or is not such a document; one line with the position
     */
    public static YamlMap read(Path file) {
        try {
            return parse(file.toString(), Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new InputException("there is no file " + file, e);
        } catch (CharacterCodingException e) {
            throw new InputException(file + " is not UTF-8 text", e);
        } catch (IOException e) {
            throw new InputException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Reads a text.
     *
     * @param file what messages call it
     * @throws InputException as {@link #read}
     */
    public static YamlMap parse(String file, String text) {
        try {
            LoadSettings settings = LoadSettings.builder().setLabel(file).build();
            return new YamlDocument(file, new Parse(settings).parseString(text).iterator()).root();
        } catch (MarkedYamlEngineException e) {
            Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
            String where = mark.map(m -> file + ":" + (m.getLine() + 1) + ", column " + (m.getColumn() + 1))
                    .orElse(file);
            throw new InputException("broken YAML: " + oneLine(e.getProblem()) + " (" + where + ")", e);
        } catch (ReaderException e) {
            long line = 1
                    + text.codePoints()
                            .limit(e.getPosition())
                            .filter(c -> c == '\n')
                            .count();
            throw new InputException(
                    "broken YAML: character " + String.format("U+%04X", e.getCodePoint()) + " is not allowed (" + file
                            + ":" + line + ")",
                    e);
        } catch (YamlEngineException e) {
            throw new InputException("broken YAML: " + oneLine(String.valueOf(e.getMessage())) + " (" + file + ")", e);
        }
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    private YamlMap root() {
        Event event = events.next();
        while (event.getEventId() == Event.ID.StreamStart || event.getEventId() == Event.ID.DocumentStart) {
            event = events.next();
        }
        if (event.getEventId() == Event.ID.StreamEnd) {
            throw new InputException(file + " is empty");
        }
        YamlMap root = node(event, line(event), "", 0).asMap();
        events.next();
        Event end = events.next();
        if (end.getEventId() != Event.ID.StreamEnd) {
            throw new InputException("a second document begins (" + file + ":" + line(end) + "); write one a file");
        }
        return root;
    }

    /** @param line where messages say the value is: for the value of a key, the line of the key */
    private YamlNode node(Event event, int line, String path, int depth) {
        if (depth > MAX_DEPTH) {
            throw new InputException("nested deeper than " + MAX_DEPTH + " levels (" + file + ":" + line + ")");
        }
        if (event instanceof NodeEvent node
                && (event instanceof AliasEvent || node.getAnchor().isPresent())) {
            String name = node.getAnchor().map(Anchor::getValue).orElse("");
            throw new InputException("anchors and aliases ('" + name + "') are not supported (" + file + ":" + line
                    + "); write the value out");
        }
        return switch (event) {
            case MappingStartEvent start -> {
                refuseTag(start.getTag(), line);
                yield map(line, path, depth);
            }
            case SequenceStartEvent start -> {
                refuseTag(start.getTag(), line);
                yield list(line, path, depth);
            }
            case ScalarEvent scalar -> {
                refuseTag(scalar.getTag(), line);
                yield new YamlScalar(file, line, path, scalar.getValue(), scalar.isPlain());
            }
            default -> throw new IllegalStateException("unexpected " + event);
        };
    }

    private void refuseTag(Optional<String> tag, int line) {
        if (tag.isPresent()) {
            throw new InputException(
                    "tags ('" + tag.get() + "') are not supported (" + file + ":" + line + "); write the plain value");
        }
    }

    private YamlMap map(int line, String path, int depth) {
        Map<String, YamlNode> values = new LinkedHashMap<>();
        Map<String, Integer> keyLines = new LinkedHashMap<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            int keyLine = line(event);
            if (!(node(event, keyLine, path, depth + 1) instanceof YamlScalar scalar)) {
                throw new InputException("a key must be a single value (" + file + ":" + keyLine + ")");
            }
            String key = scalar.string();
            Integer earlier = keyLines.put(key, keyLine);
            if (earlier != null) {
                throw new InputException("key '" + key + "' twice (" + file + ":" + keyLine + "); it stands in line "
                        + earlier + " already");
            }
            values.put(key, node(events.next(), keyLine, path.isEmpty() ? key : path + "." + key, depth + 1));
        }
        return new YamlMap(file, line, path, values, keyLines);
    }

    private YamlList list(int line, String path, int depth) {
        List<YamlNode> items = new ArrayList<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            items.add(node(event, line(event), path + "[" + items.size() + "]", depth + 1));
        }
        return new YamlList(file, line, path, items);
    }

    private static int line(Event event) {
        return event.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }
}
