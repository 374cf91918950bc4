package dev.perch.sim.workload;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.TaskGroups;
import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.List;

/**
 * The tasks of a run: what each does, where it may run, which instance of the workload it belongs to; and the things that they share.
 *
 * @param tasks in task number order; the first gets number 1
 * @param instances the instances, in the order of the expression
 * @param shared what the programs of the tasks name by number
 * @param groups the task groups that tasks are in
 * @param limited those that have a limit
 */
public record Workload(
        List<Task> tasks, List<Instance> instances, Shared shared, TaskGroups groups, List<LimitedGroup> limited) {
    /** The {@link Task#instance} of a task that belongs to no instance: housekeeping. */
    public static final int NO_INSTANCE = -1;

    /**
     * @param name command name
     * @param allowed its affinity
     * @param instance index in {@link #instances}, or {@link #NO_INSTANCE}
     * @param process tasks of equal number are threads of one process
     * @param forked started by another task's {@link Program#FORK}, not with the run
     * @param policy what its scheduler class is told of it
     * @param group number of its task group, or {@link #INHERITED}
     * @param latency series of its wakeup latencies, or {@link #NO_SERIES}
     */
    public record Task(
            String name,
            Program program,
            CpuMask allowed,
            int instance,
            int process,
            boolean forked,
            Policy policy,
            int group,
            int latency) {}

    /** The {@link Task#group} of a forked task that is in the group of the one that forks it. */
    public static final int INHERITED = -1;

    /**
     * A task group with a limit, whose throttling is reported.
     *
     * @param group its number
     * @param path where it stands in the tree of groups
     * @param instance whose figure it is: the first that has a task in it or below
     */
    public record LimitedGroup(int group, String path, int instance) {}

    /** The {@link Task#latency} of a task whose wakeup latencies nobody asks for. */
    public static final int NO_SERIES = -1;

    /**
     * @param policy one of the policies of {@link TaskTable}
     * @param nice −20 to 19; without meaning under SCHED_IDLE, SCHED_FIFO and SCHED_RR
     * @param rtPriority 1 to 99 under SCHED_FIFO and SCHED_RR, else 0
     * @param sliceNs request of a fair task under EEVDF ({@code sched_attr.sched_runtime}, 6.12+); 0 for the base slice
     */
    public record Policy(byte policy, int nice, int rtPriority, long sliceNs) {
        private static final long LEAST_SLICE = 100_000;
        private static final long MOST_SLICE = 100_000_000;

        /** SCHED_OTHER, nice 0. */
        public static final Policy NORMAL = new Policy(TaskTable.POLICY_NORMAL, 0, 0);

        /** A policy without a slice of its own. */
        public Policy(byte policy, int nice, int rtPriority) {
            this(policy, nice, rtPriority, 0);
        }

        /** The same with a slice of its own, which kernels bring into their bounds; 0 for the base slice. */
        public Policy withSlice(long ns) {
            return new Policy(policy, nice, rtPriority, ns == 0 ? 0 : Math.clamp(ns, LEAST_SLICE, MOST_SLICE));
        }
    }

    /**
     * One instance of a kind.
     *
     * @param parts how much longer than what is run is the run whose time is stated; 1 but for workloads that end and say otherwise
     */
    public record Instance(WorkloadKind kind, double parts) {}

    /** A semaphore: its value at the start and the most it can have. */
    public record Semaphore(int initial, int maximum) {}

    /**
     * A series of times whose percentiles are reported.
     *
     * @param instance whose figures they are
     * @param name such as {@code wakeup latency}
     * @param margin whether it is the low values that matter, as of time to spare
     */
    public record Series(int instance, String name, boolean margin) {}

    /**
     * Something that is counted beside the operations of an instance.
     *
     * @param instance whose figure it is
     * @param name such as {@code thread0 activations}
     */
    public record Counter(int instance, String name) {}

    /**
     * How many there are of each kind of shared thing; they are numbered from 0.
     *
     * @param sockets ends of pairs of stream sockets
     * @param barriers parties of each
     */
    public record Shared(
            int channels,
            int pipes,
            int sockets,
            List<Semaphore> semaphores,
            int locks,
            List<Integer> barriers,
            int conditions,
            int timers,
            List<Series> series,
            List<Counter> counters) {}

    /** The socket that one end of a pair is connected with. */
    public static int peer(int end) {
        return end ^ 1;
    }

    /** Whether a run of it is over when instances of it have come to their end. */
    public boolean ends() {
        return instances.stream().anyMatch(instance -> instance.kind().ends());
    }

    /** Deepest nesting of loops in the programs, 1 or more. */
    public int loopLevels() {
        int levels = 1;
        for (Task task : tasks) {
            Program program = task.program();
            for (int i = 0; i < program.op.length; i++) {
                if (program.op[i] == Program.REPEAT) {
                    levels = Math.max(levels, program.coreNs[i] + 1);
                }
            }
        }
        return levels;
    }

    /** Collects tasks while a workload is put together. */
    public static final class Builder {
        private final List<Task> tasks = new ArrayList<>();
        private final List<Instance> instances = new ArrayList<>();
        private final List<Semaphore> semaphores = new ArrayList<>();
        private final List<Integer> barriers = new ArrayList<>();
        private final List<Series> series = new ArrayList<>();
        private final List<Counter> counters = new ArrayList<>();
        private int channels;
        private int pipes;
        private int sockets;
        private int locks;
        private int conditions;
        private int timers;
        private int processes;
        private final GroupTree groups = new GroupTree();
        private int group;

        /** The number of a group, made if it is new; an {@code InputException} if it is no path. */
        public int group(String path) {
            return groups.number(path);
        }

        /**
         * Says what a group is told.
         *
         * @throws dev.perch.model.InputException if it was told something else before
         */
        public void describeGroup(String path, GroupSettings settings) {
            groups.describe(path, settings);
        }

        /** The group of a new session. */
        int addSession() {
            return groups.session();
        }

        /** The group of tasks that are added from now on, unless they say another. */
        void into(int newGroup) {
            group = newGroup;
        }

        /** The group that {@link #into} has said. */
        public int presentGroup() {
            return group;
        }

        public int addChannel() {
            return channels++;
        }

        /** A pipe of 16 pages. */
        public int addPipe() {
            return pipes++;
        }

        /** A connected pair of stream sockets; returns one end, of which the other is the {@link Workload#peer}. */
        public int addSocketPair() {
            sockets += 2;
            return sockets - 2;
        }

        /** {@code maximum} 1 or more; 1 makes it binary: a post to a semaphore that is 1 has no effect. */
        public int addSemaphore(int initial, int maximum) {
            semaphores.add(new Semaphore(initial, maximum));
            return semaphores.size() - 1;
        }

        public int addLock() {
            return locks++;
        }

        /** {@code parties} 1 or more. */
        public int addBarrier(int parties) {
            barriers.add(parties);
            return barriers.size() - 1;
        }

        public int addCondition() {
            return conditions++;
        }

        public int addTimer() {
            return timers++;
        }

        public int addSeries(int instance, String name) {
            series.add(new Series(instance, name, false));
            return series.size() - 1;
        }

        /** A series of which the low values matter. */
        public int addMargin(int instance, String name) {
            series.add(new Series(instance, name, true));
            return series.size() - 1;
        }

        public int addCounter(int instance, String name) {
            counters.add(new Counter(instance, name));
            return counters.size() - 1;
        }

        public int addInstance(WorkloadKind kind) {
            return addInstance(kind, 1);
        }

        /** An instance that runs only a part of what its time is stated for: the one divided by {@code parts}. */
        public int addInstance(WorkloadKind kind, double parts) {
            instances.add(new Instance(kind, parts));
            return instances.size() - 1;
        }

        /** A number for {@link Task#process}. */
        public int addProcess() {
            return processes++;
        }

        /** A process of one thread that runs from the start. */
        public void addTask(String name, Program program, CpuMask allowed, int instance) {
            addThread(addProcess(), name, program, allowed, instance);
        }

        /** A thread that runs from the start. */
        public void addThread(int process, String name, Program program, CpuMask allowed, int instance) {
            addTask(new Task(name, program, allowed, instance, process, false, Policy.NORMAL, group, NO_SERIES));
        }

        /**
         * A task that another one starts.
         *
         * @return its number, for {@link Program.Builder#fork}
         */
        public int addChild(int process, String name, Program program, CpuMask allowed, int instance) {
            return addTask(
                    new Task(name, program, allowed, instance, process, true, Policy.NORMAL, INHERITED, NO_SERIES));
        }

        /** The number that the next task will have. */
        public int nextTask() {
            return tasks.size() + 1;
        }

        /** A task of any kind; returns its number. */
        public int addTask(Task task) {
            tasks.add(task);
            return tasks.size();
        }

        public Workload build() {
            TaskGroups tree = groups.build();
            return new Workload(
                    List.copyOf(tasks),
                    List.copyOf(instances),
                    new Shared(
                            channels,
                            pipes,
                            sockets,
                            List.copyOf(semaphores),
                            locks,
                            List.copyOf(barriers),
                            conditions,
                            timers,
                            List.copyOf(series),
                            List.copyOf(counters)),
                    tree,
                    limited(tree));
        }

        private List<LimitedGroup> limited(TaskGroups tree) {
            List<LimitedGroup> limited = new ArrayList<>();
            for (int number = 1; number <= tree.groups().size(); number++) {
                if (tree.groups().get(number - 1).isLimited()) {
                    int instance = NO_INSTANCE;
                    for (int i = 0; i < tasks.size() && instance == NO_INSTANCE; i++) {
                        if (isBelow(tasks.get(i).group(), number, tree)) {
                            instance = tasks.get(i).instance();
                        }
                    }
                    limited.add(new LimitedGroup(number, groups.path(number), instance));
                }
            }
            return List.copyOf(limited);
        }

        private static boolean isBelow(int inner, int outer, TaskGroups tree) {
            int at = inner;
            while (at > 0 && at != outer) {
                at = tree.groups().get(at - 1).parent();
            }
            return at == outer;
        }
    }
}
