package dev.perch.sim.workload;

import dev.perch.kernel.fair.TaskGroups.Limit;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The options of one item of a workload expression, read one by one; those that nobody may give are refused first. */
final class Options {
    /** Options that every named workload has. */
    static final List<String> COMMON = List.of(
            "group=PATH task group of all its tasks, such as db or db/log (none)",
            "weight=N cpu.weight of that group, 1 to 10000 (100)",
            "quota=US/US cpu.max of that group: execution time in each period, in microseconds (no limit); the period is 100000 if not said");

    private static final long US = 1000;
    private static final long DEFAULT_PERIOD_US = 100_000;
    private static final long LEAST_US = 1000;
    private static final long MOST_PERIOD_US = 1_000_000;

    private final WorkloadItem item;

    /**
     * @throws InputException an option that {@code kind} does not have
     */
    Options(WorkloadItem item, WorkloadKind kind) {
        this.item = item;
        List<String> known = Stream.concat(kind.options().stream(), COMMON.stream())
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

    /**
     * The path of the group that the item's tasks are in, if it names one.
     *
     * @throws InputException if there are settings of a group without a group
     */
    Optional<String> group() {
        Optional<String> group = Optional.ofNullable(item.options().get("group"));
        for (String key : List.of("weight", "quota")) {
            if (group.isEmpty() && item.options().containsKey(key)) {
                throw new InputException("workload '" + item.name() + "': " + key + "="
                        + item.options().get(key) + " is of no group; write group=NAME too");
            }
        }
        return group;
    }

    /**
     * What the item says of its group, if it says anything.
     *
     * @throws InputException if a value is out of range
     */
    Optional<GroupSettings> groupSettings() {
        boolean any = item.options().containsKey("weight") || item.options().containsKey("quota");
        int weight = number("weight", GroupSettings.DEFAULT.weight(), GroupSettings.MOST_WEIGHT);
        return any ? Optional.of(new GroupSettings(weight, false, quota())) : Optional.empty();
    }

    private Limit quota() {
        String text = item.options().get("quota");
        if (text == null) {
            return Limit.NONE;
        }
        if (!text.matches("\\d{1,9}(/\\d{1,9})?")) {
            throw badQuota(text);
        }
        int slash = text.indexOf('/');
        long quota = Long.parseLong(slash < 0 ? text : text.substring(0, slash));
        long period = slash < 0 ? DEFAULT_PERIOD_US : Long.parseLong(text.substring(slash + 1));
        if (quota < LEAST_US || period < LEAST_US || period > MOST_PERIOD_US) {
            throw badQuota(text);
        }
        return new Limit(quota * US, period * US, 0);
    }

    private InputException badQuota(String text) {
        return new InputException(
                "workload '" + item.name() + "': quota=" + text + " is no limit; write microseconds, at"
                        + " least 1000, and those of the period, 1000 to 1000000, as in quota=20000/100000");
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
