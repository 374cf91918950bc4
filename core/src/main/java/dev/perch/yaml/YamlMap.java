package dev.perch.yaml;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Keys and values, in the order of the file.
 *
 * <p>It remembers which keys were asked for; after the last question {@link #refuseOthers} turns the keys that nobody asked for, such as a
 * mistyped one, into an error. A getter without {@code optional} in its name refuses a missing key.
 */
public final class YamlMap extends YamlNode {
    private final Map<String, YamlNode> values;
    private final Map<String, Integer> keyLines;
    private final Set<String> asked = new LinkedHashSet<>();

    YamlMap(String file, int line, String path, Map<String, YamlNode> values, Map<String, Integer> keyLines) {
        super(file, line, path);
        this.values = values;
        this.keyLines = keyLines;
    }

    /** The keys in file order. */
    public List<String> keys() {
        return List.copyOf(values.keySet());
    }

    public boolean has(String key) {
        asked.add(key);
        return values.containsKey(key);
    }

    /** All values by key in file order; every key counts as asked for. */
    public Map<String, YamlNode> entries() {
        asked.addAll(values.keySet());
        return new LinkedHashMap<>(values);
    }

    /** The value of a key if it is there and something stands behind it. */
    public Optional<YamlNode> optional(String key) {
        asked.add(key);
        YamlNode value = values.get(key);
        return value instanceof YamlScalar scalar && scalar.isAbsent() ? Optional.empty() : Optional.ofNullable(value);
    }

    /**
     * The value of a key.
     *
     * @throws InputException if the key is missing
     */
    public YamlNode value(String key) {
        return optional(key).orElseThrow(() -> {
            YamlNode empty = values.get(key);
            if (empty != null) {
                return empty.error("nothing stands behind " + empty.path());
            }
            return error("missing key '" + key + "'" + place());
        });
    }

    public String string(String key) {
        return value(key).asScalar().string();
    }

    public int integer(String key) {
        return value(key).asScalar().integer();
    }

    public int integer(String key, int min, int max) {
        return value(key).asScalar().integer(min, max);
    }

    public double decimal(String key) {
        return value(key).asScalar().decimal();
    }

    public boolean bool(String key) {
        return value(key).asScalar().bool();
    }

    public CpuMask cpuMask(String key) {
        return value(key).asScalar().cpuMask();
    }

    public <E extends Enum<E>> E choice(String key, Class<E> type) {
        return value(key).asScalar().choice(type);
    }

    public YamlMap map(String key) {
        return value(key).asMap();
    }

    public YamlList list(String key) {
        return value(key).asList();
    }

    public Optional<String> optionalString(String key) {
        return optional(key).map(value -> value.asScalar().string());
    }

    public OptionalInt optionalInteger(String key) {
        return optional(key)
                .map(value -> OptionalInt.of(value.asScalar().integer()))
                .orElse(OptionalInt.empty());
    }

    public OptionalDouble optionalDecimal(String key) {
        return optional(key)
                .map(value -> OptionalDouble.of(value.asScalar().decimal()))
                .orElse(OptionalDouble.empty());
    }

    public Optional<Boolean> optionalBool(String key) {
        return optional(key).map(value -> value.asScalar().bool());
    }

    public Optional<CpuMask> optionalCpuMask(String key) {
        return optional(key).map(value -> value.asScalar().cpuMask());
    }

    public <E extends Enum<E>> Optional<E> optionalChoice(String key, Class<E> type) {
        return optional(key).map(value -> value.asScalar().choice(type));
    }

    public Optional<YamlMap> optionalMap(String key) {
        return optional(key).map(YamlNode::asMap);
    }

    public Optional<YamlList> optionalList(String key) {
        return optional(key).map(YamlNode::asList);
    }

    /**
     * Ends the questions.
     *
     * @throws InputException if there is a key that nobody asked for; it names the nearest that somebody did
     */
    public void refuseOthers() {
        for (String key : values.keySet()) {
            if (!asked.contains(key)) {
                List<String> known = new ArrayList<>(asked);
                known.removeAll(values.keySet());
                String near = Nearest.of(key, known);
                throw errorAt(
                        key,
                        "unknown key '" + key + "'" + place(),
                        Nearest.hint(key, near.isEmpty() ? asked : List.of(near)));
            }
        }
    }

    /** An error on the line of a key of this map. */
    public InputException errorAt(String key, String problem, String remedy) {
        return new InputException(problem + " (" + file() + ":" + keyLines.getOrDefault(key, line()) + ")" + remedy);
    }

    private String place() {
        return path().isEmpty() ? "" : " in " + path();
    }

    @Override
    String kind() {
        return "a map";
    }
}
