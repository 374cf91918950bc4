package dev.perch.kernel.fair;

import java.util.List;

/**
 * Task groups: cgroups with CPU weights and limits, or the groups that autogroup makes of sessions ({@code struct task_group}; spec:
 * scheduler.md 1.19, 1.20). Group 0 is the root; the others are numbered from 1 in the order given.
 *
 * @param groups the groups below the root; a parent comes before its children
 */
public record TaskGroups(List<Group> groups) {
    /** All tasks are in the root group. */
    public static final TaskGroups NONE = new TaskGroups(List.of());

    private static final int LEAST_SHARES = 2;
    private static final int MOST_SHARES = 1 << 18;

    public TaskGroups {
        groups = List.copyOf(groups);
        for (int i = 0; i < groups.size(); i++) {
            if (groups.get(i).parent() > i) {
                throw new IllegalArgumentException("group " + (i + 1) + " comes before its parent");
            }
        }
    }

    /**
     * @param parent number of the parent group, 0 for the root
     * @param shares weight against tasks and groups of the parent, 2 to 2^18, of which 1024 are those of a nice-0 task
     * @param idle the whole group is treated as SCHED_IDLE ({@code cpu.idle}, since 5.15)
     * @param limit how long its tasks may run
     */
    public record Group(int parent, int shares, boolean idle, Limit limit) {
        public Group {
            if (parent < 0 || shares < LEAST_SHARES || shares > MOST_SHARES) {
                throw new IllegalArgumentException("parent " + parent + ", shares " + shares);
            }
        }

        /** Whether it has a limit. */
        public boolean isLimited() {
            return limit.quotaNs() > 0;
        }

        /** A group of the given weight without limit. */
        public static Group ofShares(int parent, int shares) {
            return new Group(parent, shares, false, Limit.NONE);
        }

        /** A group of the given {@code cpu.weight}, 1 to 10000, of which 100 are a nice-0 task's. */
        public static Group ofWeight(int parent, int cpuWeight) {
            return ofShares(parent, (int) Math.rint(cpuWeight * 1024 / 100.0));
        }
    }

    /**
     * {@code cpu.max}: execution time in all CPUs together within a period.
     *
     * @param quotaNs 0 for no limit, else at least 1 ms
     * @param periodNs 1 ms to 1 s
     * @param burstNs what may be saved of earlier periods; used since 5.14
     */
    public record Limit(long quotaNs, long periodNs, long burstNs) {
        public static final Limit NONE = new Limit(0, 100_000_000, 0);

        private static final long MS = 1_000_000;

        public Limit {
            if (quotaNs != 0 && quotaNs < MS || periodNs < MS || periodNs > 1000 * MS || burstNs < 0) {
                throw new IllegalArgumentException("quota " + quotaNs + ", period " + periodNs + ", burst " + burstNs);
            }
        }
    }

    /** How many group entities a machine of so many CPUs needs in its task table. */
    public int entities(int cpus) {
        return groups.size() * cpus;
    }
}
