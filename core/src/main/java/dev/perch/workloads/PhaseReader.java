package dev.perch.workloads;

import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import dev.perch.model.Times;
import dev.perch.sim.workload.Step;
import dev.perch.yaml.YamlList;
import dev.perch.yaml.YamlMap;
import dev.perch.yaml.YamlNode;
import dev.perch.yaml.YamlScalar;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the phases of a task of a YAML workload: each is a word, or a map of one key. The mentions of shared things are left in a {@link
 * Mentions}.
 */
final class PhaseReader {
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_COUNT = 1_000_000;
    private static final int MAX_RANDOM_NS = 2_000_000_000;
    private static final int MAX_DEPTH = 8;
    private static final int PIECE_NS = 10_000;

    private static final List<String> PHASES = List.of(
            "compute",
            "memory",
            "sleep",
            "timer",
            "pipe",
            "socket",
            "futex",
            "condition",
            "barrier",
            "fork",
            "enter",
            "join",
            "yield",
            "count",
            "loop");

    private final String task;
    private final int copies;
    private final Mentions mentions;

    PhaseReader(String task, int copies, Mentions mentions) {
        this.task = task;
        this.copies = copies;
        this.mentions = mentions;
    }

    /**
     * @throws InputException with the line, a phase that does not exist or lacks something
     */
    List<Step> read(YamlList phases) {
        return read(phases, 0);
    }

    private List<Step> read(YamlList phases, int depth) {
        if (phases.size() == 0) {
            throw phases.error(phases.path() + " is empty", "; write at least one phase, such as - compute: 10 us");
        }
        List<Step> steps = new ArrayList<>();
        for (YamlNode phase : phases) {
            steps.add(phase(phase, depth));
        }
        return steps;
    }

    private Step phase(YamlNode node, int depth) {
        if (node instanceof YamlScalar word) {
            return word(word);
        }
        YamlMap map = node.asMap();
        if (map.keys().size() != 1) {
            throw map.error("a phase has one key, not " + map.keys().size(), "; begin each phase with its own '- '");
        }
        String key = map.keys().getFirst();
        return switch (key) {
            case "compute" -> compute(map.value(key));
            case "memory" -> new Step.Memory(map.integer(key, 1, Integer.MAX_VALUE));
            case "sleep" -> sleep(map.value(key));
            case "timer" -> timer(map.value(key));
            case "pipe" -> pipe(map.map(key));
            case "socket" -> socket(map.map(key));
            case "futex" -> futex(map.map(key));
            case "condition" -> condition(map.map(key));
            case "barrier" -> {
                String name = map.string(key);
                mentions.barrier(name, task, copies, map.value(key));
                yield new Step.Barrier(name);
            }
            case "fork" -> {
                mentions.fork(map.string(key), map.value(key));
                yield new Step.Fork(map.string(key));
            }
            case "enter" -> new Step.Enter(GroupReader.path(map.string(key), map.value(key)));
            case "loop" -> loop(map.map(key), depth);
            default ->
                throw map.errorAt(key, "unknown phase '" + key + "' of task '" + task + "'", Nearest.hint(key, PHASES));
        };
    }

    private Step word(YamlScalar word) {
        return switch (word.string()) {
            case "count" -> {
                mentions.counts();
                yield new Step.Count();
            }
            case "yield" -> new Step.Yield();
            case "join" -> new Step.Join();
            default -> {
                if (PHASES.contains(word.string())) {
                    throw word.error(
                            "phase '" + word.string() + "' of task '" + task + "' needs a value",
                            "; write - " + word.string() + ": VALUE");
                }
                throw word.error(
                        "unknown phase '" + word.string() + "' of task '" + task + "'",
                        Nearest.hint(word.string(), PHASES));
            }
        };
    }

    private static Step compute(YamlNode node) {
        if (!(node instanceof YamlMap map)) {
            return new Step.Compute(time(node, false));
        }
        if (map.has("for")) {
            Step step = new Step.ComputeFor(time(map.value("for"), false), PIECE_NS);
            map.refuseOthers();
            return step;
        }
        int from = shortTime(map.value("from"));
        int to = shortTime(map.value("to"));
        map.refuseOthers();
        if (from > to) {
            throw map.error("'from' is more than 'to'");
        }
        return new Step.ComputeBetween(from, to);
    }

    private static Step sleep(YamlNode node) {
        if (!(node instanceof YamlMap map)) {
            return new Step.Sleep(time(node, true));
        }
        Step step = new Step.SleepAbout(shortTime(map.value("mean")));
        map.refuseOthers();
        return step;
    }

    /** What a timer does with activations that were missed. */
    private enum Missed {
        SKIP,
        CATCH_UP
    }

    private Step timer(YamlNode node) {
        if (!(node instanceof YamlMap map)) {
            return new Step.Timer("", true, time(node, false), false);
        }
        long period = time(map.value("period"), false);
        String name = map.optionalString("name").orElse("");
        Missed missed = map.optionalChoice("missed", Missed.class).orElse(Missed.SKIP);
        map.refuseOthers();
        return new Step.Timer(name, name.isEmpty(), period, missed == Missed.CATCH_UP);
    }

    private Step pipe(YamlMap map) {
        boolean write = map.has("write");
        String name = map.string(write ? "write" : "read");
        int bytes = map.has("bytes") ? map.integer("bytes", 1, MAX_BYTES) : 1;
        map.refuseOthers();
        mentions.direction("pipe", name, write, map);
        return write ? new Step.PipeWrite(name, bytes) : new Step.PipeRead(name, bytes);
    }

    private Step socket(YamlMap map) {
        boolean send = map.has("send");
        String name = map.string(send ? "send" : "receive");
        int bytes = map.has("bytes") ? map.integer("bytes", 1, MAX_BYTES) : 1;
        map.refuseOthers();
        mentions.direction("socket", name, send, map);
        return send ? new Step.SocketSend(name, bytes) : new Step.SocketReceive(name, bytes);
    }

    private Step futex(YamlMap map) {
        Step step;
        if (map.has("post")) {
            int count = map.has("count") ? map.integer("count", 1, MAX_COUNT) : 1;
            mentions.direction("futex", map.string("post"), true, map);
            step = new Step.Post(map.string("post"), count);
        } else if (map.has("lock")) {
            step = new Step.Lock(map.string("lock"));
        } else if (map.has("unlock")) {
            step = new Step.Unlock(map.string("unlock"));
        } else {
            mentions.direction("futex", map.string("wait"), false, map);
            step = new Step.Await(map.string("wait"));
        }
        map.refuseOthers();
        return step;
    }

    private static Step condition(YamlMap map) {
        Step step;
        if (map.has("signal")) {
            step = new Step.Signal(map.string("signal"), false);
        } else if (map.has("broadcast")) {
            step = new Step.Signal(map.string("broadcast"), true);
        } else {
            step = new Step.Wait(map.string("wait"), map.string("lock"));
        }
        map.refuseOthers();
        return step;
    }

    private Step loop(YamlMap map, int depth) {
        if (depth >= MAX_DEPTH) {
            throw map.error("loops are nested deeper than " + MAX_DEPTH + " levels");
        }
        long times = times(map, "times");
        List<Step> steps = read(map.list("phases"), depth + 1);
        map.refuseOthers();
        return new Step.Loop(times, steps);
    }

    /** A number of times, or {@code forever}, which holds too if the key is missing. */
    static long times(YamlMap map, String key) {
        return map.optionalString(key).orElse("forever").equals("forever")
                ? Step.Loop.FOREVER
                : map.integer(key, 1, Integer.MAX_VALUE);
    }

    static long time(YamlNode node, boolean zeroAllowed) {
        YamlScalar value = node.asScalar();
        try {
            return Times.parse(value.path(), value.string(), zeroAllowed);
        } catch (InputException e) {
            throw value.error(e.getMessage());
        }
    }

    private static int shortTime(YamlNode node) {
        long ns = time(node, false);
        if (ns > MAX_RANDOM_NS) {
            throw node.error(node.path() + " is more than 2 s");
        }
        return (int) ns;
    }
}
