package dev.perch.kernel.fair;

import dev.perch.kernel.TaskTable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which fair scheduler a kernel has, with its settings: the meaning of the {@code runqueue} names in kernel files. */
sealed interface Scheduler {
    /** A queue of one level. */
    FairQueue queue(
            TaskTable tasks,
            DeadlineTree.Links links,
            RunqueueState state,
            @Nullable FairQueue parent,
            FairQueue.GroupFace face);

    WakeupPreemption preemption(TaskTable tasks, RunqueueState state, FairHierarchy hierarchy);

    /** A limit whose timer has the given number. */
    Bandwidth bandwidth(TaskGroups.Limit limit, LimitTimers timers, int timer, int cpus);

    /** {@code sched_migration_cost_ns}. */
    long migrationCost();

    /** The current task waits with the others while the next one is picked. */
    boolean putsBackFirst();

    /** Balancing looks at the oldest task first. */
    boolean listsOldestFirst();

    /** Real-time tasks give way only to fair tasks that wait. */
    boolean servesStarvedFairTasks();

    /**
     * The scheduler of the given name.
     *
     * @param set features and tunables that are not as released
     * @throws IllegalArgumentException if there is none of that name
     */
    static Scheduler of(String name, Map<String, Boolean> set, Map<String, Long> tunables, int cpus, int hz) {
        CfsTunables cfs = CfsTunables.scaled(cpus, tunables);
        for (CfsVersion version : CfsVersion.values()) {
            if (version.id().equals(name)) {
                return new Cfs(version, cfs, CfsFeatures.of(set));
            }
        }
        for (EevdfVersion version : EevdfVersion.values()) {
            if (version.id().equals(name)) {
                EevdfTunables eevdf = EevdfTunables.scaled(version, cpus, hz, tunables);
                return new Eevdf(version, eevdf, EevdfFeatures.of(version, set), cfs.migrationCost());
            }
        }
        throw new IllegalArgumentException("there are no runqueue rules '" + name + "'");
    }

    /** CFS. */
    record Cfs(CfsVersion version, CfsTunables tunables, CfsFeatures features) implements Scheduler {
        @Override
        public FairQueue queue(
                TaskTable tasks,
                DeadlineTree.Links links,
                RunqueueState state,
                @Nullable FairQueue parent,
                FairQueue.GroupFace face) {
            return new CfsQueue(version, tasks, tunables, features, state, parent, face);
        }

        @Override
        public WakeupPreemption preemption(TaskTable tasks, RunqueueState state, FairHierarchy hierarchy) {
            return new WakeupPreemption.Cfs(tasks, state, hierarchy, features, version);
        }

        @Override
        public Bandwidth bandwidth(TaskGroups.Limit limit, LimitTimers timers, int timer, int cpus) {
            boolean voidsOld = !version.since(CfsVersion.V5_13);
            return new Bandwidth(limit, voidsOld, version.since(CfsVersion.V4_8), timers, timer, cpus);
        }

        @Override
        public long migrationCost() {
            return tunables.migrationCost();
        }

        @Override
        public boolean putsBackFirst() {
            return !version.since(CfsVersion.V4_8);
        }

        @Override
        public boolean listsOldestFirst() {
            return version.since(CfsVersion.V4_15);
        }

        @Override
        public boolean servesStarvedFairTasks() {
            return false;
        }
    }

    /** EEVDF. */
    record Eevdf(EevdfVersion version, EevdfTunables tunables, EevdfFeatures features, long migrationCost)
            implements Scheduler {
        @Override
        public FairQueue queue(
                TaskTable tasks,
                DeadlineTree.Links links,
                RunqueueState state,
                @Nullable FairQueue parent,
                FairQueue.GroupFace face) {
            return new EevdfQueue(version, tasks, links, tunables, features, state, parent, face);
        }

        @Override
        public WakeupPreemption preemption(TaskTable tasks, RunqueueState state, FairHierarchy hierarchy) {
            return new WakeupPreemption.Eevdf(tasks, state, hierarchy, features, version);
        }

        @Override
        public Bandwidth bandwidth(TaskGroups.Limit limit, LimitTimers timers, int timer, int cpus) {
            return new Bandwidth(limit, false, true, timers, timer, cpus);
        }

        @Override
        public boolean putsBackFirst() {
            return false;
        }

        @Override
        public boolean listsOldestFirst() {
            return true;
        }

        @Override
        public boolean servesStarvedFairTasks() {
            return version.since(EevdfVersion.V6_12);
        }
    }
}
