package dev.perch.sim.workload;

import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The text form of a workload: what runs side by side.
 *
 * <pre>
 *   WORKLOADS := ITEM ('+' ITEM)*
 *   ITEM      := NAME [':' KEY '=' VALUE (',' KEY '=' VALUE)*] ['*' COUNT]
 *              | PATH ['*' COUNT]
 *
 *   tcp-rr    tcp-rr:size=1,pin=3/1    tcp-rr*3    tcp-rr+hog*2    ./mine.yaml+hog
 * </pre>
 *
 * A path begins with {@code ./}, {@code ../} or {@code /}. Paths and values contain none of {@code + * ,}. Which names and options there are is not known here: {@link Workloads} checks them against the
 * machine.
 */
public final class WorkloadExpression {
    /** Most instances of one item; far more than any machine described here has CPUs. */
    public static final int MAX_COUNT = 65_536;

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

    private WorkloadExpression() {}

    /**
     * The items of an expression, in its order.
     *
     * @throws InputException which item is wrong, and how to write it
     */
    public static List<WorkloadItem> parse(String expression) {
        if (expression.isBlank()) {
            throw new InputException("the workload is empty; write a name, as in tcp-rr or tcp-rr+hog*2");
        }
        List<WorkloadItem> items = new ArrayList<>();
        for (String text : expression.split("\\+", -1)) {
            items.add(item(text.strip(), expression));
        }
        return List.copyOf(items);
    }

    /** The expression that {@link #parse} reads as these items. */
    public static String format(List<WorkloadItem> items) {
        StringBuilder text = new StringBuilder();
        for (WorkloadItem item : items) {
            text.append(text.isEmpty() ? "" : "+").append(item.name());
            char before = ':';
            for (Map.Entry<String, String> option : item.options().entrySet()) {
                text.append(before).append(option.getKey()).append('=').append(option.getValue());
                before = ',';
            }
            if (item.count() != 1) {
                text.append('*').append(item.count());
            }
        }
        return text.toString();
    }

    /** Whether a name is that of a file. */
    static boolean isPath(String name) {
        return name.startsWith("/") || name.startsWith("./") || name.startsWith("../");
    }

    private static WorkloadItem item(String text, String expression) {
        int star = text.indexOf('*');
        String body = star < 0 ? text : text.substring(0, star);
        int count = star < 0 ? 1 : count(text.substring(star + 1).strip(), text, expression);
        if (isPath(body)) {
            return new WorkloadItem(body.strip(), Map.of(), count);
        }
        int colon = body.indexOf(':');
        String name = (colon < 0 ? body : body.substring(0, colon)).strip();
        if (name.isEmpty()) {
            throw bad(expression, text, "has no name; write NAME, NAME:KEY=VALUE or NAME*COUNT, joined by '+'");
        }
        if (!NAME.matcher(name).matches()) {
            throw bad(
                    expression,
                    text,
                    "begins with '" + name
                            + "', which is not a workload's name; names are as tcp-rr, files as ./mine.yaml");
        }
        Map<String, String> options = new LinkedHashMap<>();
        if (colon >= 0) {
            for (String option : body.substring(colon + 1).split(",", -1)) {
                addOption(options, option.strip(), text, expression);
            }
        }
        return new WorkloadItem(name, options, count);
    }

    private static void addOption(Map<String, String> options, String option, String item, String expression) {
        int equals = option.indexOf('=');
        String key = equals < 0 ? option : option.substring(0, equals).strip();
        String value = equals < 0 ? "" : option.substring(equals + 1).strip();
        if (key.isEmpty() || value.isEmpty()) {
            throw bad(expression, item, "has the option '" + option + "'; write it as KEY=VALUE, as in pin=3/1");
        }
        if (options.putIfAbsent(key, value) != null) {
            throw bad(expression, item, "gives '" + key + "' twice; give it once");
        }
    }

    private static int count(String text, String item, String expression) {
        boolean digits = !text.isEmpty() && text.length() <= 6 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int count = digits ? Integer.parseInt(text) : 0;
        if (count < 1 || count > MAX_COUNT) {
            throw bad(
                    expression,
                    item,
                    "has the count '" + text + "'; write a number from 1 to " + MAX_COUNT + " after '*'");
        }
        return count;
    }

    private static InputException bad(String expression, String item, String what) {
        String where = item.equals(expression.strip()) ? "" : " in '" + expression + "'";
        return new InputException("workload '" + item + "'" + where + " " + what);
    }
}
