package dev.perch.sim.check;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.CfsTunables;
import dev.perch.kernel.fair.LoadWeights;
import dev.perch.kernel.fair.Runqueue;

/**
 * Bounds of virtual time: how it passes, how far tasks may be apart, whose turn it is. Times are ns.
 *
 * <ul>
 *   <li>Virtual runtime grows by execution time · 1024 / weight (scheduler.md 1.7, 2.4), but for rounding (1.4): one ns a charge, and the
 *       relative error of a tabulated inverse, up to 2⁻¹⁵. A yield under EEVDF may take it to the task's deadline (2.11).
 *   <li>{@code min_vruntime} never goes back, nor past a task on the queue (1.8, 2.3): of one that stays queued, the distance to it does not
 *       become more negative than it was on arrival.
 *   <li>CFS: a woken task is at most one sleeper's credit behind {@code min_vruntime} (1.10): latency, or half of it, and from 5.16 on
 *       of the minimum granularity for a task under SCHED_IDLE. For tasks that were
 *       moved or forked there is no such bound: they bring their distance along (1.11), and until 4.7 the queue's own time is brought up
 *       to date only after they have taken their place, so that it may pass them by what the running task had not been charged for.
 *   <li>CFS: the task picked is at most one wakeup granularity, in the virtual time of the leftmost, ahead of that one (1.13); only
 *       buddies and a task that yielded make use of it. EEVDF: the task picked is eligible, and of the eligible ones its deadline is the
 *       first (2.8); with {@code NEXT_BUDDY} a buddy may come first. Real-time tasks come before both (0.4).
 *   <li>EEVDF: lag that a task keeps while it sleeps is within ± max(2 slices, tick) in its virtual time (2.3). The average that the
 *       queue keeps is the weighted mean of what is on it, so that all lags add up to nothing. There is no such bound for tasks while they
 *       are queued: the time that the kernel spends unpreemptible for a task has no limit, and who leaves with lag shifts the others.
 * </ul>
 *
 * <p>Limitation: where tasks are in task groups, only what holds for the root group is looked at.
 */
final class VirtualTimeInvariants {
    private static final double RELATIVE_ERROR = 1.0 / (1 << 14);

    private final TaskTable tasks;
    private final Runqueue[] runqueues;
    private final CfsTunables tunables;
    private final long credit;
    private final long idleCredit;
    private final long tick;
    private final boolean buddies;
    private final EventInvariants events;
    private final Violations violations;
    /** By task: weight, and how often it had joined a queue, as of the last sweep in which it was queued. */
    private final int[] joined;

    private final int[] weight;
    /** By CPU: the running task and its times after the last event. */
    private final int[] running;

    private final int[] weightOfRunning;
    private final long[] vruntime;
    private final long[] executed;
    /** By task: how far it was ahead of {@code min_vruntime} when it joined its queue; 0 if more. */
    private final long[] ahead;

    private final long[] minVruntime;

    VirtualTimeInvariants(
            TaskTable tasks,
            Runqueue[] runqueues,
            VirtualTimeRules rules,
            EventInvariants events,
            Violations violations) {
        this.tasks = tasks;
        this.runqueues = runqueues;
        tunables = rules.tunables();
        credit = rules.sleeperCredit();
        idleCredit = rules.idleCredit();
        tick = rules.tickNs();
        buddies = rules.nextBuddy();
        this.events = events;
        this.violations = violations;
        int count = tasks.capacity();
        joined = new int[count];
        weight = new int[count];
        running = new int[runqueues.length];
        weightOfRunning = new int[runqueues.length];
        vruntime = new long[runqueues.length];
        executed = new long[runqueues.length];
        ahead = new long[count];
        minVruntime = new long[runqueues.length];
        for (int cpu = 0; cpu < runqueues.length; cpu++) {
            minVruntime[cpu] = runqueues[cpu].minVruntime();
        }
    }

    /** A CPU has picked a task. */
    void switched(long ns, int cpu, int next) {
        Runqueue runqueue = runqueues[cpu];
        if (next == IDLE_TASK || !tasks.isFair(next)) {
            return;
        }
        if (runqueue.nrRunning() > runqueue.nrFair() && !runqueue.isRealTimeThrottled()) {
            throw broken(Invariant.PICK, ns, cpu, next, "it is picked while real-time tasks wait");
        }
        if (!isFlat(runqueue)) {
            return;
        }
        if (runqueue.isEevdf()) {
            pickedByDeadline(ns, cpu, next);
        } else {
            pickedByVruntime(ns, cpu, next);
        }
    }

    private boolean isFlat(Runqueue runqueue) {
        for (int task = runqueue.firstInList(); task != IDLE_TASK; task = runqueue.nextInList(task)) {
            if (tasks.group[task] != 0) {
                return false;
            }
        }
        return true;
    }

    private void pickedByVruntime(long ns, int cpu, int next) {
        Runqueue runqueue = runqueues[cpu];
        int left = next;
        for (int task = runqueue.firstInList(); task != IDLE_TASK; task = runqueue.nextInList(task)) {
            long after = tasks.vruntime[task] - tasks.vruntime[left];
            if (after < 0 || after == 0 && tasks.weight[task] < tasks.weight[left]) {
                left = task; // of several at one time the first to come is the leftmost; the lightest bounds them all
            }
        }
        long ahead = tasks.vruntime[next] - tasks.vruntime[left];
        if (ahead > virtual(tunables.wakeupGranularity(), tasks.weight[left]) + 1) {
            throw broken(
                    Invariant.PICK,
                    ns,
                    cpu,
                    next,
                    "it is picked " + ahead + " ns of virtual time ahead of " + violations.task(left));
        }
    }

    private void pickedByDeadline(long ns, int cpu, int next) {
        Runqueue runqueue = runqueues[cpu];
        long reference = tasks.vruntime[next];
        long sum = 0;
        long load = 0;
        for (int task = runqueue.firstInList(); task != IDLE_TASK; task = runqueue.nextInList(task)) {
            sum += (tasks.vruntime[task] - reference) * tasks.weight[task];
            load += tasks.weight[task];
        }
        if (sum < 0) {
            throw broken(Invariant.PICK, ns, cpu, next, "it is picked, but is not eligible");
        }
        for (int task = runqueue.firstInList(); task != IDLE_TASK && !buddies; task = runqueue.nextInList(task)) {
            boolean eligible = sum >= (tasks.vruntime[task] - reference) * load;
            long later = tasks.deadline[next] - tasks.deadline[task];
            if (eligible && later > 0) {
                throw broken(
                        Invariant.PICK,
                        ns,
                        cpu,
                        next,
                        "it is picked, but the deadline of " + violations.task(task) + ", eligible too, is " + later
                                + " ns before its own");
            }
        }
    }

    /** After every event: whoever ran until then, and still runs, got virtual time for it at the weight that it had. */
    void inspectCpu(long ns, int cpu) {
        int task = runqueues[cpu].current();
        boolean fair = task != IDLE_TASK && tasks.isFair(task);
        if (fair && running[cpu] == task) {
            advances(ns, cpu, task);
        }
        running[cpu] = task;
        if (fair) {
            weightOfRunning[cpu] = tasks.weight[task];
            vruntime[cpu] = tasks.vruntime[task];
            executed[cpu] = tasks.sumExec[task];
        }
    }

    private void advances(long ns, int cpu, int task) {
        int before = weightOfRunning[cpu];
        long ran = tasks.sumExec[task] - executed[cpu];
        long passed = tasks.vruntime[task] - vruntime[cpu];
        long expected = (long) ((double) ran * LoadWeights.NICE_0 / before);
        long tolerance = (long) (expected * RELATIVE_ERROR) + 2;
        boolean eevdf = runqueues[cpu].isEevdf();
        if (eevdf && before != tasks.weight[task]) {
            return; // a change of weight moves it
        }
        boolean yielded = eevdf && tasks.vruntime[task] - tasks.deadline[task] <= 0;
        boolean tooMuch = passed > expected + tolerance && !yielded;
        if ((tooMuch || passed < expected - tolerance) && !tunables.childRunsFirst()) {
            throw broken(
                    Invariant.VIRTUAL_TIME,
                    ns,
                    cpu,
                    task,
                    "it executed for " + ran + " ns at weight " + before + ", and its virtual runtime grew by "
                            + passed);
        }
    }

    /** Now and then. */
    void inspect(long ns) {
        for (int cpu = 0; cpu < runqueues.length; cpu++) {
            Runqueue runqueue = runqueues[cpu];
            long least = runqueue.minVruntime();
            if (least - minVruntime[cpu] < 0) {
                throw broken(
                        Invariant.MIN_VRUNTIME,
                        ns,
                        cpu,
                        Violations.NOBODY,
                        "it goes back from " + minVruntime[cpu] + " to " + least);
            }
            minVruntime[cpu] = least;
            if (isFlat(runqueue)) {
                queued(ns, cpu, least);
            }
        }
        for (int task = 1; task < tasks.capacity(); task++) {
            boolean keepsLag =
                    events.state(task) == EventInvariants.ASLEEP && !tasks.onQueue[task] && tasks.isFair(task);
            if (keepsLag && runqueues[tasks.cpu[task]].isEevdf()) {
                lag(ns, task);
            }
        }
    }

    private void queued(long ns, int cpu, long least) {
        Runqueue runqueue = runqueues[cpu];
        int first = runqueue.firstInList();
        long reference = tasks.vruntime[first];
        long sum = 0;
        long load = 0;
        for (int task = first; task != IDLE_TASK; task = runqueue.nextInList(task)) {
            passes(ns, cpu, task, least);
            sum += (tasks.vruntime[task] - reference) * tasks.weight[task];
            load += tasks.weight[task];
        }
        if (load > 0 && runqueue.isEevdf()) {
            long mean = reference + Math.floorDiv(sum, load);
            long kept = runqueue.averageVruntime();
            if (mean != kept) {
                throw broken(
                        Invariant.LAG,
                        ns,
                        cpu,
                        Violations.NOBODY,
                        "its queue keeps the average " + kept + ", that of its tasks is " + mean);
            }
        }
    }

    private void passes(long ns, int cpu, int task, long least) {
        long distance = tasks.vruntime[task] - least;
        boolean eevdf = runqueues[cpu].isEevdf();
        if (events.joined(task) != joined[task] || weight[task] != tasks.weight[task]) {
            joined[task] = events.joined(task);
            weight[task] = tasks.weight[task];
            ahead[task] = Math.min(0, distance);
        } else {
            if (distance < ahead[task]) {
                throw broken(
                        Invariant.MIN_VRUNTIME,
                        ns,
                        cpu,
                        task,
                        "it is " + -distance + " ns behind the least virtual runtime, and was " + -ahead[task]
                                + " when it came");
            }
        }
        long most = tasks.policy[task] == TaskTable.POLICY_IDLE ? idleCredit : credit;
        if (!eevdf && events.wasPlaced(task) && distance < -most) {
            throw broken(
                    Invariant.SLEEPER_CREDIT,
                    ns,
                    cpu,
                    task,
                    "it is " + -distance + " ns behind the least virtual runtime; a sleeper gets " + most);
        }
    }

    private void lag(long ns, int task) {
        long limit = virtual(Math.max(2 * tasks.slice[task], tick), tasks.weight[task]) + 2;
        if (Math.abs(tasks.lag[task]) > limit) {
            throw broken(
                    Invariant.LAG,
                    ns,
                    tasks.cpu[task],
                    task,
                    "it sleeps with a lag of " + tasks.lag[task] + " ns; the limit is " + limit);
        }
    }

    /** Rounded up by more than the kernel's arithmetic may round. */
    private static long virtual(long delta, int weight) {
        double exact = (double) delta * LoadWeights.NICE_0 / weight;
        return (long) (exact * (1 + RELATIVE_ERROR));
    }

    private InvariantViolation broken(Invariant invariant, long ns, int cpu, int task, String words) {
        return violations.violation(invariant, ns, cpu, task, words);
    }
}
