package dev.perch.sim.workload;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.util.List;
import java.util.Optional;

/**
 * The workloads there are, and how an expression of them becomes tasks.
 *
 * <p>What a workload's steps cost is the machine's to say ({@code workloads.NAME} in its file). The anatomy is spec scheduler.md 9.
 */
public final class Workloads {
    private static final List<Recipe> ALL = List.of(
            PingPong.TCP_RR,
            PingPong.PIPE,
            new SocketPair(),
            new FutexPair(),
            Hackbench.HACKBENCH,
            Hackbench.MESSAGING,
            new Tbench(),
            new Schbench(),
            new Oltp(),
            new SemaphoreRing(),
            new FutexWake(),
            new Hog(),
            new Periodic());

    /** Bounds of the work of one housekeeping wakeup, nominal ns. */
    private static final int HOUSEKEEPING_FROM_NS = 15_000;

    private static final int HOUSEKEEPING_TO_NS = 45_000;

    private Workloads() {}

    /** All kinds, in the order in which a list should show them. */
    public static List<WorkloadKind> list() {
        return ALL.stream().map(Recipe::kind).toList();
    }

    /** Options that every named workload has, as {@link WorkloadKind#options}. */
    public static List<String> commonOptions() {
        return Options.COMMON;
    }

    /**
     * Checks names, options, pins and masks without running anything.
     *
     * @throws InputException what is wrong, with the nearest name if one is unknown
     */
    public static void check(WorkloadSetup setup) {
        build(setup);
    }

    /**
     * The tasks of a run.
     *
     * @throws InputException as {@link #check}
     */
    public static Workload build(WorkloadSetup setup) {
        CpuMask cpus = setup.machine().topology().cpus();
        CpuMask home = checkedHome(setup, cpus);
        CpuMask free = setup.taskset().isEmpty() ? home : setup.taskset();
        if (setup.items().isEmpty()) {
            throw new InputException("the workload is empty; name one, such as tcp-rr (perch list workloads)");
        }
        Workload.Builder builder = new Workload.Builder();
        Site site = new Site(setup.machine(), home, free);
        for (WorkloadItem item : setup.items()) {
            Recipe recipe = item.isFile() ? described(item) : named(item.name());
            Options options = new Options(item, recipe.kind());
            builder.into(group(builder, options, setup.autogroup()));
            for (int i = 0; i < item.count(); i++) {
                recipe.add(builder, options, site);
            }
        }
        builder.into(0);
        addHousekeeping(builder, setup);
        return builder.build();
    }

    /** The group of an item: the one that it names, or its session's. Kernel threads are in the root group. */
    private static int group(Workload.Builder builder, Options options, boolean autogroup) {
        Optional<String> path = options.group();
        if (path.isEmpty()) {
            return autogroup ? builder.addSession() : 0;
        }
        options.groupSettings().ifPresent(settings -> builder.describeGroup(path.get(), settings));
        return builder.group(path.get());
    }

    private static CpuMask checkedHome(WorkloadSetup setup, CpuMask cpus) {
        CpuMask home = setup.cpuset().isEmpty() ? cpus : setup.cpuset();
        if (!cpus.containsAll(home)) {
            throw new InputException("cpuset " + home + " names CPUs that machine '"
                    + setup.machine().name() + "' does not have; it has " + cpus);
        }
        if (!home.containsAll(setup.taskset())) {
            throw new InputException(
                    "taskset " + setup.taskset() + " names CPUs outside of " + home + ", where the workload may run");
        }
        return home;
    }

    private static Recipe described(WorkloadItem item) {
        DescribedWorkload workload = item.described()
                .orElseThrow(
                        () -> new InputException("workload file '" + item.name() + "' was not read; read it first"));
        return new DescribedRecipe(workload);
    }

    private static Recipe named(String name) {
        for (Recipe recipe : ALL) {
            if (recipe.kind().name().equals(name)) {
                return recipe;
            }
        }
        List<String> names = list().stream().map(WorkloadKind::name).toList();
        throw new InputException("unknown workload '" + name + "'" + Nearest.hint(name, names));
    }

    /** Every CPU of the machine has a kernel thread that wakes up now and then, for a few microseconds. */
    private static void addHousekeeping(Workload.Builder builder, WorkloadSetup setup) {
        int rate = setup.housekeepingPerSecond();
        if (rate == 0) {
            return;
        }
        int cpuCount = setup.machine().topology().cpuCount();
        int mean = (int) Math.min(2_000_000_000L, cpuCount * 1_000_000_000L / rate);
        Program program = new Program.Builder()
                .sleep(mean)
                .burst(HOUSEKEEPING_FROM_NS, HOUSEKEEPING_TO_NS)
                .jump(0)
                .build();
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            builder.addTask("kworker/" + cpu, program, CpuMask.of(cpu), Workload.NO_INSTANCE);
        }
    }
}
