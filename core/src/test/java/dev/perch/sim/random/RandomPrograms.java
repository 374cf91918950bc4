package dev.perch.sim.random;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.TaskGroups;
import dev.perch.model.CpuMask;
import dev.perch.sim.workload.DescribedTask;
import dev.perch.sim.workload.DescribedWorkload;
import dev.perch.sim.workload.GroupSettings;
import dev.perch.sim.workload.Step;
import dev.perch.sim.workload.Workload;
import dev.perch.sim.workload.WorkloadItem;
import dev.perch.sim.workload.WorkloadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Programs of random steps: they compute, sleep, talk through pipes, sockets and futexes, fork, end, yield, move themselves and change their
 * nice values, under every policy, in groups of any weight. They may come to wait for each other for ever, as programs do.
 */
final class RandomPrograms {
    private static final String CHILD = "child";
    private static final List<String> PATHS = List.of("a", "a/b", "a/b/c", "d");

    private final Draws draws;
    private final CpuMask home;
    private final SortedMap<String, Integer> barriers = new TreeMap<>();
    private final SortedMap<String, GroupSettings> groups = new TreeMap<>();

    private RandomPrograms(Draws draws, CpuMask home) {
        this.draws = draws;
        this.home = home;
    }

    static WorkloadItem draw(Draws draws, CpuMask home) {
        RandomPrograms programs = new RandomPrograms(draws, home);
        DescribedWorkload workload = programs.workload();
        return new WorkloadItem("./random.yaml", Map.of(), draws.of(1, 1, 2), Optional.of(workload));
    }

    private DescribedWorkload workload() {
        drawGroups();
        List<DescribedTask> tasks = new ArrayList<>();
        for (int task = draws.between(1, 4); task > 0; task--) {
            Workload.Policy policy = policy();
            List<Step> steps = steps(draws.between(1, 6), true, policy);
            steps.add(new Step.Compute(draws.logBetween(100, 300_000)));
            steps.add(new Step.Count());
            List<Step> program = draws.once(5) ? steps : List.of(new Step.Loop(Step.Loop.FOREVER, steps));
            CpuMask cpus = draws.once(3) ? draws.subset(home) : CpuMask.empty();
            long delay = draws.once(4) ? draws.logBetween(1_000, 1_000_000) : 0;
            tasks.add(new DescribedTask("task" + task, draws.of(1, 1, 2, 5), policy, cpus, group(), delay, program));
        }
        Workload.Policy policy = policy();
        CpuMask cpus = draws.once(3) ? draws.subset(home) : CpuMask.empty();
        tasks.add(new DescribedTask(CHILD, 0, policy, cpus, group(), 0, steps(draws.between(1, 3), false, policy)));
        WorkloadKind kind =
                new WorkloadKind("./random.yaml", "random", "", WorkloadKind.Measure.RATE, "operations/s", List.of());
        return new DescribedWorkload(kind, draws.once(2), tasks, barriers, groups, "operations", OptionalLong.empty());
    }

    private void drawGroups() {
        if (draws.once(3)) {
            for (String path : PATHS.subList(0, draws.between(1, PATHS.size()))) {
                groups.put(path, new GroupSettings((int) draws.logBetween(1, 10_000), false, TaskGroups.Limit.NONE));
            }
        }
    }

    /** The path of one of the groups that were drawn, or none. */
    private String group() {
        return groups.isEmpty() || draws.once(3) ? "" : draws.of(List.copyOf(groups.keySet()));
    }

    private Workload.Policy policy() {
        int nice = draws.once(2) ? 0 : draws.between(-20, 19);
        return switch (draws.below(12)) {
            case 0 -> new Workload.Policy(TaskTable.POLICY_BATCH, nice, 0);
            case 1 -> new Workload.Policy(TaskTable.POLICY_IDLE, 0, 0);
            case 2 -> new Workload.Policy(TaskTable.POLICY_FIFO, 0, draws.between(1, 99));
            case 3 -> new Workload.Policy(TaskTable.POLICY_RR, 0, draws.between(1, 99));
            default -> new Workload.Policy(TaskTable.POLICY_NORMAL, nice, 0);
        };
    }

    private List<Step> steps(int count, boolean forks, Workload.Policy policy) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            add(steps, forks, policy);
        }
        return steps;
    }

    private void add(List<Step> steps, boolean forks, Workload.Policy policy) {
        String name = draws.of("a", "a", "b");
        int bytes = (int) draws.logBetween(1, 100_000);
        switch (draws.below(20)) {
            case 0 -> steps.add(new Step.Compute(draws.logBetween(100, 5_000_000)));
            case 1 -> steps.add(new Step.ComputeBetween(1_000, 200_000));
            case 2 -> steps.add(new Step.SystemCalls(draws.between(1, 20)));
            case 3 -> steps.add(new Step.Sleep(draws.logBetween(1, 2_000_000)));
            case 4 -> steps.add(new Step.SleepAbout((int) draws.logBetween(1_000, 500_000)));
            case 5 ->
                steps.add(new Step.Timer(name, draws.once(2), draws.logBetween(10_000, 2_000_000), draws.once(2)));
            case 6 -> {
                steps.add(new Step.Lock(name));
                steps.add(new Step.Compute(draws.logBetween(100, 100_000)));
                steps.add(new Step.Unlock(name));
            }
            case 7 -> {
                steps.add(new Step.Lock(name));
                steps.add(new Step.Wait(name, name));
                steps.add(new Step.Unlock(name));
            }
            case 8 -> steps.add(new Step.Signal(name, draws.once(2)));
            case 9 -> {
                barriers.putIfAbsent(name, draws.between(1, 4));
                steps.add(new Step.Barrier(name));
            }
            case 10 -> steps.add(new Step.Post(name, draws.between(1, 4)));
            case 11 -> steps.add(new Step.Await(name));
            case 12 -> steps.add(new Step.PipeWrite(name, bytes));
            case 13 -> steps.add(new Step.PipeRead(name, bytes));
            case 14 -> steps.add(new Step.SocketSend(name, bytes));
            case 15 -> steps.add(new Step.SocketReceive(name, bytes));
            case 16 -> {
                if (forks) {
                    for (int child = draws.between(1, 3); child > 0; child--) {
                        steps.add(new Step.Fork(CHILD));
                    }
                    steps.add(new Step.Join());
                } else {
                    steps.add(new Step.Yield());
                }
            }
            case 17 -> steps.add(new Step.Yield());
            case 18 -> steps.add(new Step.Allow(draws.once(4) ? CpuMask.empty() : draws.subset(home)));
            default -> {
                boolean byNice = policy.policy() <= TaskTable.POLICY_BATCH;
                steps.add(byNice ? new Step.Renice(draws.between(-20, 19)) : new Step.Compute(1_000));
            }
        }
    }
}
