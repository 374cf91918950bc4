package dev.perch.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the result of a query. */
final class Rows implements QueryOutput {
    private final List<List<@Nullable Object>> list = new ArrayList<>();
    private List<String> columns = List.of();

    List<List<@Nullable Object>> list() {
        return list;
    }

    List<String> columns() {
        return columns;
    }

    @Override
    public void begin(List<String> names) {
        columns = names;
    }

    @Override
    public void row(@Nullable Object[] cells) {
        list.add(new ArrayList<>(Arrays.asList(cells)));
    }

    @Override
    public void end() {}
}
