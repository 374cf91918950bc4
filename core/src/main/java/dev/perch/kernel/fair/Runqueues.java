package dev.perch.kernel.fair;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.TaskTable;
import dev.perch.kernel.load.IdleTime;
import dev.perch.kernel.load.LoadTracking;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The runqueues of a machine, as its kernel's rules make them, and the timers that are common to them: refills of limited groups, new
 * periods of real-time tasks.
 */
public final class Runqueues {
    private final Runqueue[] byCpu;
    private final List<Bandwidth> bandwidths = new ArrayList<>();
    private final List<@Nullable Bandwidth> limits = new ArrayList<>();
    private final LimitTimers timers;

    /**
     * Empty queues at clock 0.
     *
     * @param kernel its {@code runqueue} and {@code load-tracking} rules, features and tunables count
     * @param tasks with {@link TaskGroups#entities} group entities
     * @param cpus CPUs of the machine, all online
     * @param hz ticks a second
     * @param weights shares of the groups
     * @throws IllegalArgumentException if there are no {@code runqueue} rules of the kernel's name, or the table has another number of
     *     group entities
     */
    public Runqueues(Kernel kernel, TaskTable tasks, int cpus, int hz, TaskGroups groups, GroupWeights weights) {
        this(
                Scheduler.of(kernel.rules().runqueue(), kernel.features(), kernel.tunables(), cpus, hz),
                LoadTracking.named(kernel.rules().loadTracking()).idleTime(),
                tasks,
                cpus,
                groups,
                weights);
    }

    /** As {@link #Runqueues(Kernel, TaskTable, int, int, TaskGroups, GroupWeights)}, with all tasks in the root group. */
    public Runqueues(Kernel kernel, TaskTable tasks, int cpus, int hz) {
        this(kernel, tasks, cpus, hz, TaskGroups.NONE, GroupWeights.ofThisMoment(0, cpus));
    }

    /**
     * As released, with all tasks in the root group and 250 ticks a second.
     *
     * @param rules name of the {@code runqueue} rules
     */
    public Runqueues(String rules, TaskTable tasks, int cpus) {
        this(
                Scheduler.of(rules, Map.of(), Map.of(), cpus, 250),
                IdleTime.Form.CLAMPED,
                tasks,
                cpus,
                TaskGroups.NONE,
                GroupWeights.ofThisMoment(0, cpus));
    }

    Runqueues(
            Scheduler scheduler,
            IdleTime.Form idleTimeForm,
            TaskTable tasks,
            int cpus,
            TaskGroups groups,
            GroupWeights weights) {
        if (tasks.entityCount() - tasks.capacity() != groups.entities(cpus)) {
            throw new IllegalArgumentException("the task table has not the group entities of " + groups);
        }
        int limited = (int)
                groups.groups().stream().filter(TaskGroups.Group::isLimited).count();
        timers = new LimitTimers(limited + cpus);
        for (TaskGroups.Group group : groups.groups()) {
            Bandwidth bandwidth =
                    group.isLimited() ? scheduler.bandwidth(group.limit(), timers, bandwidths.size(), cpus) : null;
            limits.add(bandwidth);
            if (bandwidth != null) {
                bandwidths.add(bandwidth);
            }
        }
        DeadlineTree.Links links = new DeadlineTree.Links(tasks.entityCount());
        byCpu = new Runqueue[cpus];
        for (int cpu = 0; cpu < cpus; cpu++) {
            RunqueueState state = new RunqueueState(cpu, !scheduler.putsBackFirst());
            FairQueue[] queues = new FairQueue[groups.groups().size() + 1];
            queues[0] = scheduler.queue(tasks, links, state, null, FairQueue.GroupFace.ROOT);
            for (int group = 1; group < queues.length; group++) {
                TaskGroups.Group description = groups.groups().get(group - 1);
                int entity = tasks.capacity() + (group - 1) * cpus + cpu;
                tasks.policy[entity] = description.idle() ? TaskTable.POLICY_IDLE : TaskTable.POLICY_NORMAL;
                queues[group] = scheduler.queue(
                        tasks,
                        links,
                        state,
                        queues[description.parent()],
                        new FairQueue.GroupFace(group, entity, limits.get(group - 1)));
                tasks.weight[entity] = description.shares();
                tasks.inverseWeight[entity] = queues[group].time.inverse(description.shares());
            }
            BalanceList list = new BalanceList(tasks, scheduler.listsOldestFirst());
            FairHierarchy fair = new FairHierarchy(tasks, state, queues, groups, weights, cpus, list);
            RtQueue realTime = new RtQueue(tasks, state, scheduler.servesStarvedFairTasks(), timers, limited + cpu);
            TaskSwitch taskSwitch = new TaskSwitch(
                    tasks, state, fair, realTime, list, scheduler.putsBackFirst(), scheduler.listsOldestFirst());
            byCpu[cpu] = new Runqueue(
                    tasks,
                    state,
                    new Runqueue.Parts(
                            fair,
                            realTime,
                            taskSwitch,
                            scheduler.preemption(tasks, state, fair),
                            list,
                            scheduler.migrationCost(),
                            idleTimeForm,
                            scheduler.putsBackFirst()));
        }
    }

    /** The runqueues, by CPU number. */
    public Runqueue[] byCpu() {
        return byCpu;
    }

    /** How many timers there are that end a throttling, numbered from 0: one for each limited group, then one for each CPU's real-time tasks. */
    public int timers() {
        return timers.count();
    }

    /** How many of the {@link #timers} are those of limited groups. */
    public int groupTimers() {
        return bandwidths.size();
    }

    /** Whether a timer was started or stopped since the last question. */
    public boolean takeTimersChanged() {
        return timers.takeChanged();
    }

    /** When a timer expires, ns; {@link Long#MAX_VALUE} if it does not run. */
    public long due(int timer) {
        return timers.due(timer);
    }

    /** The CPU on which a timer that runs was started, and expires. */
    public int timerCpu(int timer) {
        return timers.cpu(timer);
    }

    /** Does what a timer that is due does; afterwards every runqueue may have a signal to take, {@link Runqueue#takeSignal}. */
    public void expire(int timer, long now) {
        if (timer < bandwidths.size()) {
            bandwidths.get(timer).expire(now, byCpu);
        } else {
            byCpu[timer - bandwidths.size()].expireRealTime(now);
        }
    }

    /** How long the queues of a group have been throttled by its own limit up to now, summed over CPUs, ns; 0 without one. */
    public long throttledNs(int group, long now) {
        Bandwidth limit = limits.get(group - 1);
        return limit == null ? 0 : limit.throttledNs(now);
    }
}
