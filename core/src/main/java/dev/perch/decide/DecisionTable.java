package dev.perch.decide;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.placement.WakeKind;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import dev.perch.model.Topology;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Answers tables of idle searches: CSV with a row a state of CPUs and a target, written back with a column {@code perch} added.
 *
 * <p>Columns by name, in any order, others are kept as they are: {@code era} (a kernel expression, or one of the short names in
 * {@link #ERAS}), {@code machine}, {@code busy} and {@code sched_idle} (CPUs separated by spaces), {@code allowed} ({@code all} or CPUs),
 * {@code this}, {@code prev}, {@code target}, {@code recent}, {@code waker_is_percpu_kthread} (0 or 1), {@code has_idle_cores} (0 or 1),
 * {@code sis_prop_nr}, {@code nr_idle_scan} (a number, {@code inf} or empty). Fields hold no commas and no quotes.
 */
public final class DecisionTable {
    /** Kernels of the short names, where {@code v} before the name is not enough. */
    static final Map<String, String> ERAS = new TreeMap<>(Map.of("mikie", "v3.2-rc1+mikie"));

    private static final String ADDED = "perch";

    private final String file;
    private final Map<String, Topology> machines;
    private final Function<String, Kernel> kernels;
    private final Map<String, Engine> engines = new HashMap<>();
    private Map<String, Integer> columns = Map.of();
    private int line;

    private DecisionTable(String file, Map<String, Topology> machines, Function<String, Kernel> kernels) {
        this.file = file;
        this.machines = machines;
        this.kernels = kernels;
    }

    /**
     * Reads rows and hands each on with the answer.
     *
     * @param machines by the name that rows give
     * @param kernels resolves a kernel expression
     * @param out takes the lines, the header first
     * @return the number of rows
     * @throws InputException if the file cannot be read, or a row cannot be understood; with file and line
     */
    public static int answer(
            Path file, Map<String, Topology> machines, Function<String, Kernel> kernels, Consumer<String> out) {
        DecisionTable table = new DecisionTable(file.toString(), machines, kernels);
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            return table.answer(reader, out);
        } catch (CharacterCodingException e) {
            throw new InputException(file + " is not text in UTF-8 and so no table of decisions", e);
        } catch (IOException e) {
            throw new InputException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private int answer(BufferedReader reader, Consumer<String> out) throws IOException {
        String header = reader.readLine();
        line = 1;
        if (header == null || header.isBlank()) {
            throw error("is empty; a header such as era,machine,busy,allowed,this,prev,target is needed");
        }
        columns = columns(header);
        out.accept(header + "," + ADDED);
        int rows = 0;
        for (String row = reader.readLine(); row != null; row = reader.readLine()) {
            line++;
            if (!row.isBlank()) {
                out.accept(row + "," + answer(row.split(",", -1)));
                rows++;
            }
        }
        return rows;
    }

    private Map<String, Integer> columns(String header) {
        Map<String, Integer> found = new HashMap<>();
        String[] names = header.split(",", -1);
        for (int i = 0; i < names.length; i++) {
            if (found.put(names[i].strip(), i) != null) {
                throw error("has the column '" + names[i].strip() + "' twice");
            }
        }
        for (String needed : List.of("era", "machine", "busy", "this", "prev", "target")) {
            if (!found.containsKey(needed)) {
                throw error("has no column '" + needed + "'" + Nearest.hint(needed, found.keySet()));
            }
        }
        if (found.containsKey(ADDED)) {
            throw error("has a column '" + ADDED + "' already; take it out first");
        }
        return found;
    }

    private int answer(String[] fields) {
        if (fields.length != columns.size()) {
            throw error("has " + fields.length + " fields, but " + columns.size() + " columns are named");
        }
        String era = field(fields, "era");
        String machine = field(fields, "machine");
        Engine engine = engines.get(era + "," + machine);
        if (engine == null) {
            engine = new Engine(kernel(era), topology(machine), List.of());
            engines.put(era + "," + machine, engine);
        }
        try {
            return engine.search(situation(fields), number(fields, "target")).cpu();
        } catch (InputException e) {
            throw error(": " + e.getMessage());
        }
    }

    private Kernel kernel(String era) {
        String known = ERAS.get(era);
        String expression = known != null ? known : era.startsWith("v") ? era : "v" + era;
        try {
            return kernels.apply(expression);
        } catch (InputException e) {
            throw error(": era '" + era + "': " + e.getMessage());
        }
    }

    private Topology topology(String machine) {
        Topology topology = machines.get(machine);
        if (topology == null) {
            throw error(" names machine '" + machine + "', which --machines does not have"
                    + Nearest.hint(machine, machines.keySet()));
        }
        return topology;
    }

    private Situation situation(String[] fields) {
        Map<Integer, Integer> running = new TreeMap<>();
        for (int cpu : cpus(fields, "busy").toArray()) {
            running.put(cpu, 1);
        }
        String allowed = field(fields, "allowed");
        return new Situation(
                WakeKind.WAKE,
                number(fields, "this"),
                number(fields, "prev"),
                false,
                false,
                flag(fields, "waker_is_percpu_kthread").orElse(false),
                running,
                cpus(fields, "sched_idle"),
                allowed.isEmpty() || allowed.equals("all") ? CpuMask.empty() : cpus(fields, "allowed"),
                limit(fields, "recent"),
                Map.of(),
                0,
                0,
                flag(fields, "has_idle_cores"),
                limit(fields, "nr_idle_scan"),
                limit(fields, "sis_prop_nr"));
    }

    private String field(String[] fields, String column) {
        Integer index = columns.get(column);
        return index == null ? "" : fields[index].strip();
    }

    private CpuMask cpus(String[] fields, String column) {
        String text = field(fields, column);
        try {
            return text.isEmpty()
                    ? CpuMask.empty()
                    : CpuMask.parse(Arrays.stream(text.split(" +")).collect(Collectors.joining(",")));
        } catch (InputException e) {
            throw new InputException(column + ": " + e.getMessage(), e);
        }
    }

    private int number(String[] fields, String column) {
        String text = field(fields, column);
        if (!text.matches("[0-9]{1,9}")) {
            throw new InputException(column + " cannot be '" + text + "'; write a number");
        }
        return Integer.parseInt(text);
    }

    private OptionalInt limit(String[] fields, String column) {
        String text = field(fields, column);
        return text.isEmpty() || text.equals("inf") ? OptionalInt.empty() : OptionalInt.of(number(fields, column));
    }

    private Optional<Boolean> flag(String[] fields, String column) {
        String text = field(fields, column);
        return switch (text) {
            case "" -> Optional.empty();
            case "0" -> Optional.of(false);
            case "1" -> Optional.of(true);
            default -> throw new InputException(column + " cannot be '" + text + "'; write 0 or 1");
        };
    }

    private InputException error(String what) {
        return new InputException(file + ":" + line + (what.startsWith(":") ? "" : " ") + what.stripLeading());
    }
}
