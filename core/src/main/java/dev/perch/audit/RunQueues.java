package dev.perch.audit;

import dev.perch.model.TaskState;

/**
 * What runs and what waits on each CPU: the moves of tasks between running, a queue and sleep, kept in {@link AuditTasks} and
 * {@link AuditCpus} alike.
 */
final class RunQueues {
    private final AuditTasks tasks;
    private final AuditCpus cpus;
    private final EventCounts counts;
    private final SystemMeter meter;
    private QueueListener listener = QueueListener.NONE;

    RunQueues(AuditTasks tasks, AuditCpus cpus, EventCounts counts, SystemMeter meter) {
        this.tasks = tasks;
        this.cpus = cpus;
        this.counts = counts;
        this.meter = meter;
    }

    /** Who hears how tasks move. */
    void listenWith(QueueListener queueListener) {
        listener = queueListener;
    }

    /** The state of a task was changed elsewhere. */
    void changed(int slot, long ns) {
        listener.moved(slot, ns);
    }

    /** The task of {@code slot} is seen to run on {@code cpu}, since when is not known. */
    void setCurrent(long ns, int cpu, int slot) {
        if (slot > 0) {
            leaveQueue(slot, ns);
            tasks.state[slot] = AuditTasks.RUNNING;
            tasks.cpu[slot] = cpu;
            tasks.seenOn[slot].add(cpu);
            tasks.readySince[slot] = -1;
            tasks.runningSince[slot] = -1;
            listener.moved(slot, ns);
        }
        cpus.current[cpu] = slot;
        cpus.changed(cpu, ns);
    }

    /** What {@code cpu} runs is not known any more, nor where the task is that it ran. */
    void forgetCurrent(long ns, int cpu) {
        int slot = cpus.current[cpu];
        if (slot > 0) {
            tasks.state[slot] = AuditTasks.UNSEEN;
            tasks.runningSince[slot] = -1;
            tasks.leftAt[slot] = -1;
            listener.moved(slot, ns);
        }
        cpus.current[cpu] = AuditCpus.NOBODY_KNOWN;
        cpus.changed(cpu, ns);
    }

    /** The task is not where it was. */
    void leaveQueue(int slot, long ns) {
        int cpu = tasks.cpu[slot];
        if (tasks.state[slot] == AuditTasks.QUEUED) {
            cpus.queued[cpu]--;
            cpus.changed(cpu, ns);
        } else if (tasks.state[slot] == AuditTasks.RUNNING && cpus.current[cpu] == slot) {
            cpus.current[cpu] = AuditCpus.NOBODY_KNOWN;
            cpus.changed(cpu, ns);
        }
    }

    /** The task waits on the queue of {@code cpu}. */
    void enqueue(int slot, int cpu, long ns) {
        leaveQueue(slot, ns);
        tasks.state[slot] = AuditTasks.QUEUED;
        tasks.cpu[slot] = cpu;
        cpus.queued[cpu]++;
        listener.moved(slot, ns);
        cpus.changed(cpu, ns);
    }

    /** What waits on the queue of {@code cpu} is not known any more. */
    void forgetQueue(int cpu, long ns) {
        for (int slot = 1; slot < tasks.size(); slot++) {
            if (tasks.state[slot] == AuditTasks.QUEUED && tasks.cpu[slot] == cpu) {
                leaveQueue(slot, ns);
                tasks.state[slot] = AuditTasks.UNSEEN;
                tasks.readySince[slot] = -1;
                listener.moved(slot, ns);
            }
        }
    }

    /** {@code cpu} switches away from the task; its own change is told by the caller. */
    void left(int slot, int cpu, int prio, TaskState state, boolean blocked, long ns) {
        tasks.setPrio(slot, prio);
        long since = tasks.runningSince[slot];
        if (since >= 0) {
            meter.ranFor(slot, cpu, since, ns);
        }
        tasks.runningSince[slot] = -1;
        tasks.leftAt[slot] = ns;
        tasks.leftState[slot] = state;
        tasks.readySince[slot] = -1;
        int queue = tasks.movedTo[slot] >= 0 ? tasks.movedTo[slot] : cpu;
        tasks.movedTo[slot] = -1;
        if (state.isRunnable()) {
            tasks.state[slot] = AuditTasks.QUEUED;
            tasks.cpu[slot] = queue;
            cpus.queued[queue]++;
            if (queue != cpu) {
                cpus.changed(queue, ns);
            }
            tasks.readySince[slot] = ns;
            tasks.readyByWakeup[slot] = false;
        } else if (blocked) {
            boolean gone = state == TaskState.DEAD || state == TaskState.ZOMBIE;
            tasks.state[slot] = gone ? AuditTasks.DEAD : AuditTasks.ASLEEP;
        } else {
            tasks.state[slot] = AuditTasks.UNSEEN;
        }
        listener.moved(slot, ns);
    }

    /** {@code cpu} switches to the task; its own change is told by the caller. */
    void enter(int slot, int cpu, int prio, long ns) {
        tasks.setPrio(slot, prio);
        byte state = tasks.state[slot];
        if (state == AuditTasks.QUEUED) {
            cpus.queued[tasks.cpu[slot]]--;
            if (tasks.cpu[slot] != cpu) {
                cpus.changed(tasks.cpu[slot], ns);
            }
        } else if (state == AuditTasks.RUNNING && tasks.cpu[slot] != cpu) {
            counts.gaps++;
            leaveQueue(slot, ns);
        }
        long ready = tasks.readySince[slot];
        if (ready >= 0) {
            meter.waited(slot, ready, ns, tasks.readyByWakeup[slot]);
        } else if (state == AuditTasks.UNSEEN && tasks.seenOn[slot].count() == 0) {
            meter.cutAtStart();
        }
        long before = tasks.leftAt[slot];
        if (before >= 0) {
            meter.offCpu(slot, before, ns);
        }
        if (tasks.cpu[slot] != cpu && tasks.cpu[slot] >= 0) {
            tasks.recentCpu[slot] = tasks.cpu[slot];
        }
        tasks.state[slot] = AuditTasks.RUNNING;
        tasks.cpu[slot] = cpu;
        tasks.seenOn[slot].add(cpu);
        tasks.runningSince[slot] = ns;
        tasks.readySince[slot] = -1;
        tasks.movedFrom[slot] = -1;
        listener.moved(slot, ns);
        meter.entered(slot, ns);
    }
}
