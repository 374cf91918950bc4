package dev.perch.yaml;

import dev.perch.model.CpuMask;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** A list of values, in order. */
public final class YamlList extends YamlNode implements Iterable<YamlNode> {
    private final List<YamlNode> items;

    YamlList(String file, int line, String path, List<YamlNode> items) {
        super(file, line, path);
        this.items = Collections.unmodifiableList(items);
    }

    public int size() {
        return items.size();
    }

    public YamlNode get(int index) {
        return items.get(index);
    }

    @Override
    public Iterator<YamlNode> iterator() {
        return items.iterator();
    }

    /**
     * The items as texts.
     *
     * @throws dev.perch.model.InputException if an item is not a single value
     */
    public List<String> strings() {
        return items.stream().map(item -> item.asScalar().string()).toList();
    }

    /**
     * The items as whole numbers.
     *
     * @throws dev.perch.model.InputException if an item is none
     */
    public List<Integer> integers() {
        return items.stream().map(item -> item.asScalar().integer()).toList();
    }

    /**
     * The items as CPU sets.
     *
     * @throws dev.perch.model.InputException if an item is not a CPU list such as {@code 0-3,8}
     */
    public List<CpuMask> cpuMasks() {
        return items.stream().map(item -> item.asScalar().cpuMask()).toList();
    }

    /**
     * The items as maps.
     *
     * @throws dev.perch.model.InputException if an item is none
     */
    public List<YamlMap> maps() {
        return items.stream().map(YamlNode::asMap).toList();
    }

    @Override
    String kind() {
        return "a list";
    }
}
