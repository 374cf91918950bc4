package dev.perch.sim.workload;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The options of one item of a workload expression, read one by one; those that nobody may give are refused first. */
final class Options {
    private final WorkloadItem item;

    /**
     * @throws InputException an option that {@code kind} does not have
     */
    Options(WorkloadItem item, WorkloadKind kind) {
        this.item = item;
        List<String> known = kind.options().stream()
                .map(option -> option.substring(0, option.indexOf('=')))
                .sorted()
                .toList();
        for (String key : item.options().keySet()) {
            if (!known.contains(key)) {
                throw new InputException("workload '" + item.name() + "' has no option '" + key + "'"
                        + Nearest.hint(key, new ArrayList<>(known)));
            }
        }
    }

    /** A number from 1 to {@code limit}. */
    int number(String key, int whenAbsent, int limit) {
        String text = item.options().get(key);
        if (text == null) {
            return whenAbsent;
        }
        if (!text.matches("\\d{1,9}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > limit) {
            throw new InputException(
                    "workload '" + item.name() + "': " + key + "=" + text + " is not a number from 1 to " + limit);
        }
        return Integer.parseInt(text);
    }

    /** One of {@code choices}; the first if it is not given. */
    String choice(String key, List<String> choices) {
        String text = item.options().getOrDefault(key, choices.getFirst());
        if (!choices.contains(text)) {
            throw new InputException("workload '" + item.name() + "': " + key + "=" + text + " is none of "
                    + String.join(", ", choices));
        }
        return text;
    }

    /** The affinities of {@code ends} tasks by the option {@code pin}. */
    CpuMask[] pins(Site site, int ends) {
        CpuMask[] result = new CpuMask[ends];
        Arrays.fill(result, site.free());
        String pin = item.options().get("pin");
        if (pin == null) {
            return result;
        }
        String[] parts = pin.split("/", -1);
        if (parts.length != ends) {
            throw new InputException("workload '" + item.name() + "': pin=" + pin + " names " + parts.length
                    + " CPUs, but it has " + ends + (ends == 1 ? " task; write pin=A" : " tasks; write pin=A/B"));
        }
        for (int end = 0; end < ends; end++) {
            CpuMask mask = CpuMask.parse(parts[end]);
            if (mask.count() != 1) {
                throw new InputException(
                        "workload '" + item.name() + "': pin=" + pin + ": '" + parts[end] + "' is not one CPU number");
            }
            if (!site.home().containsAll(mask)) {
                throw new InputException("workload '" + item.name() + "': pin=" + pin + ": CPU " + mask
                        + " is not among CPUs " + site.home() + ", where the workload may run");
            }
            result[end] = mask;
        }
        return result;
    }
}
