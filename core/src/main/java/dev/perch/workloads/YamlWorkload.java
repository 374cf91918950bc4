package dev.perch.workloads;

import dev.perch.kernel.TaskTable;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.sim.workload.DescribedTask;
import dev.perch.sim.workload.DescribedWorkload;
import dev.perch.sim.workload.GroupSettings;
import dev.perch.sim.workload.Step;
import dev.perch.sim.workload.Workload.Policy;
import dev.perch.sim.workload.WorkloadKind;
import dev.perch.sim.workload.WorkloadKind.Measure;
import dev.perch.yaml.YamlDocument;
import dev.perch.yaml.YamlMap;
import dev.perch.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;

/** Reads workloads written in YAML; the format is described in docs/workload-file.md. */
final class YamlWorkload {
    private static final int MAX_COPIES = 65_536;
    private static final int DEFAULT_RT_PRIORITY = 1;

    private final YamlMap root;
    private final Mentions mentions = new Mentions();

    private YamlWorkload(YamlMap root) {
        this.root = root;
    }

    /**
     * @param file what messages and the workload are called
     * @throws InputException with the line, if it is not such a file
     */
    static DescribedWorkload parse(String file, String text) {
        return new YamlWorkload(YamlDocument.parse(file, text)).workload();
    }

    /** What the value of a run is. */
    private enum Value {
        RATE,
        TIME,
        LATENCY
    }

    private DescribedWorkload workload() {
        String title = root.string("title");
        boolean threads = root.optionalBool("threads").orElse(false);
        OptionalLong duration = root.has("duration")
                ? OptionalLong.of(PhaseReader.time(root.value("duration"), false))
                : OptionalLong.empty();
        String unit = root.optionalString("unit").orElse("operations");
        Value value = root.optionalChoice("measure", Value.class).orElse(Value.RATE);
        SortedMap<String, GroupSettings> groups = GroupReader.read(root);
        Map<String, YamlNode> nodes = root.map("tasks").entries();
        Map<String, DescribedTask> tasks = new LinkedHashMap<>();
        nodes.forEach((name, node) -> tasks.put(name, task(name, node.asMap())));
        root.refuseOthers();
        if (tasks.values().stream().noneMatch(task -> task.copies() > 0)) {
            throw root.value("tasks").error("no task runs from the start", "; give one copies: 1 or more");
        }
        mentions.check(tasks, nodes);
        if (value != Value.LATENCY && !mentions.isCounted()) {
            throw root.value("tasks").error("no phase counts anything", "; write - count where an operation is done");
        }
        WorkloadKind kind = new WorkloadKind(root.file(), title, "", measure(value), metric(value, unit), List.of());
        return new DescribedWorkload(
                kind, threads, new ArrayList<>(tasks.values()), mentions.barriers(), groups, unit, duration);
    }

    private static Measure measure(Value value) {
        return switch (value) {
            case RATE -> Measure.RATE;
            case TIME -> Measure.TIME_PER_OPERATION;
            case LATENCY -> Measure.PERCENTILE;
        };
    }

    private static String metric(Value value, String unit) {
        return switch (value) {
            case RATE -> unit + "/s";
            case TIME -> "us/op";
            case LATENCY -> "us";
        };
    }

    private DescribedTask task(String name, YamlMap map) {
        int copies = map.has("copies") ? map.integer("copies", 0, MAX_COPIES) : 1;
        Policy policy = policy(map);
        CpuMask cpus = map.optionalCpuMask("cpus").orElse(CpuMask.empty());
        String group = GroupReader.of(map);
        long delay = map.has("delay") ? PhaseReader.time(map.value("delay"), true) : 0;
        long times = PhaseReader.times(map, "times");
        List<Step> phases = new PhaseReader(name, copies, mentions).read(map.list("phases"));
        map.refuseOthers();
        return new DescribedTask(name, copies, policy, cpus, group, delay, List.of(new Step.Loop(times, phases)));
    }

    /** Scheduling policies, as {@code chrt} calls them. */
    private enum SchedulingPolicy {
        OTHER,
        BATCH,
        IDLE,
        FIFO,
        RR
    }

    private static Policy policy(YamlMap map) {
        SchedulingPolicy policy =
                map.optionalChoice("policy", SchedulingPolicy.class).orElse(SchedulingPolicy.OTHER);
        return switch (policy) {
            case OTHER -> new Policy(TaskTable.POLICY_NORMAL, nice(map), 0).withSlice(slice(map));
            case BATCH -> new Policy(TaskTable.POLICY_BATCH, nice(map), 0).withSlice(slice(map));
            case IDLE -> new Policy(TaskTable.POLICY_IDLE, 0, 0).withSlice(slice(map));
            case FIFO -> new Policy(TaskTable.POLICY_FIFO, 0, priority(map));
            case RR -> new Policy(TaskTable.POLICY_RR, 0, priority(map));
        };
    }

    private static int nice(YamlMap map) {
        return map.has("nice") ? map.integer("nice", -20, 19) : 0;
    }

    /** Length of a task's requests ({@code sched_runtime} of a fair task), if it says. */
    private static long slice(YamlMap map) {
        return map.has("slice") ? PhaseReader.time(map.value("slice"), false) : 0;
    }

    private static int priority(YamlMap map) {
        return map.has("priority") ? map.integer("priority", 1, 99) : DEFAULT_RT_PRIORITY;
    }
}
