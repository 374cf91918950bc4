package dev.perch.machines;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A dump of {@code /sys/devices/system} in two text files, as recordings carry them: {@code topology.txt} with lines {@code NAME VALUE} and
 * {@code cpuN/cache/indexN key=value …}, {@code nodes.txt} with lines {@code nodeN cpulist=… distance=…}.
 *
 * <p>CPUs that share something tell of the same set, so a file that was cut off contradicts itself; that is refused here, with the line.
 */
final class SysfsDump implements SysfsTree {
    private static final Pattern LINE = Pattern.compile("((?:cpu|node)[0-9]+[^ ]*) (.+)");
    private static final Pattern FIELD = Pattern.compile("([a-z_]+)=(.*?)(?=\\s+[a-z_]+=|\\s*$)");
    private static final Pattern SHARED = Pattern.compile("cpu([0-9]{1,5})/(.*_list)");
    private static final Pattern NODE_CPUS = Pattern.compile("node[0-9]+/cpulist");

    private final TreeMap<String, Value> values = new TreeMap<>();

    private record Value(String text, Path file, int line) {
        String where() {
            return file + ":" + line;
        }
    }

    private SysfsDump() {}

    /**
     * Reads the dump.
     *
     * @param topology the file {@code topology.txt}
     * @param nodes the file {@code nodes.txt}; it need not exist
     * @throws InputException a line of another form, or CPUs that do not tell the same of what they share
     */
    static SysfsDump read(Path topology, Path nodes) {
        SysfsDump dump = new SysfsDump();
        dump.readLines(topology);
        if (Files.exists(nodes)) {
            dump.readLines(nodes);
        }
        dump.checkShared();
        return dump;
    }

    private void readLines(Path file) {
        int number = 0;
        for (String line : text(file).lines().toList()) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            Matcher matcher = LINE.matcher(line.strip());
            if (!matcher.matches()) {
                throw new InputException("'" + (line.length() > 40 ? line.substring(0, 40) + "…" : line)
                        + "' is no line of a topology dump (" + file + ":" + number + ")");
            }
            String name = matcher.group(1);
            String value = matcher.group(2);
            Matcher field = FIELD.matcher(value);
            if (!value.contains("=")) {
                values.put(name, new Value(value.strip(), file, number));
            } else {
                while (field.find()) {
                    values.put(
                            name + "/" + field.group(1),
                            new Value(field.group(2).strip(), file, number));
                }
            }
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new InputException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** A kind of list, such as {@code topology/core_cpus_list}, and the CPUs that it names. */
    private record Shared(String kind, CpuMask named) {}

    /** The CPUs that have equal lists, and the first of them. */
    private record Told(CpuMask by, Value first) {
        Told and(Told other) {
            return new Told(by.or(other.by), first);
        }
    }

    /** Of each kind of list, the CPUs whose lists are equal must be those that the list names. */
    private void checkShared() {
        Map<Shared, Told> lists = new LinkedHashMap<>();
        SortedSet<Integer> described = numbers("", "cpu");
        values.forEach((name, value) -> {
            Matcher shared = SHARED.matcher(name);
            if (shared.matches()) {
                Shared list = new Shared(shared.group(2), cpus(value.text, value));
                lists.merge(list, new Told(cpus(shared.group(1), value), value), Told::and);
            } else if (NODE_CPUS.matcher(name).matches()) {
                for (int cpu : cpus(value.text, value).toArray()) {
                    if (!described.contains(cpu)) {
                        throw cutOff(name + " names CPU " + cpu + ", of which the topology tells nothing", value);
                    }
                }
            }
        });
        lists.forEach(this::checkShared);
    }

    private void checkShared(Shared list, Told told) {
        int silent = list.named.minus(told.by).first();
        if (silent < 0) {
            return;
        }
        String name = "cpu" + told.by.first() + "/" + list.kind;
        Value other = values.get("cpu" + silent + "/" + list.kind);
        if (other == null) {
            throw cutOff(name + " names CPU " + silent + ", which has no " + list.kind, told.first);
        }
        throw cutOff(name + " is " + list.named + ", but that of CPU " + silent + " is " + other.text, other);
    }

    private static InputException cutOff(String problem, Value value) {
        return new InputException(problem + " (" + value.where() + "); was a file cut off or edited? copy it again");
    }

    private static CpuMask cpus(String list, Value value) {
        try {
            return CpuMask.parse(list);
        } catch (InputException e) {
            throw new InputException(e.getMessage() + " (" + value.where() + ")", e);
        }
    }

    @Override
    public Optional<String> read(String name) {
        return Optional.ofNullable(values.get(name)).map(Value::text);
    }

    @Override
    public Optional<String> where(String name) {
        return Optional.ofNullable(values.get(name)).map(Value::where);
    }

    @Override
    public SortedSet<Integer> numbers(String folder, String prefix) {
        SortedSet<Integer> numbers = new TreeSet<>();
        String start = folder.isEmpty() ? prefix : folder + "/" + prefix;
        Pattern pattern = Pattern.compile(Pattern.quote(start) + "([0-9]{1,5})/.*");
        for (String name : values.tailMap(start).keySet()) {
            Matcher matcher = pattern.matcher(name);
            if (matcher.matches()) {
                numbers.add(Integer.parseInt(matcher.group(1)));
            } else if (!name.startsWith(start)) {
                break;
            }
        }
        return numbers;
    }
}
