package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the program of one task from its steps.
 *
 * <p>What a step costs besides what it does: a system call ({@code call}), the copying of what goes through pipes and sockets ({@code kib}),
 * and the fetching of it from the sender's cache. A machine file may give the first two under {@code workloads.described}; the defaults
 * are orders of magnitude, {@link #CALL} and {@link #KIB}.
 *
 * <p>Limitations: a lock that is free costs {@value #LOCK_NS} ns whether or not its line is near; buffers of memory steps are always cached.
 */
final class StepCompiler {
    /** Assumed: a system call that neither sleeps nor wakes. */
    private static final Cost CALL = Cost.core(250);

    /** Assumed: reading or writing a KiB, at 10 GB/s. */
    private static final Cost KIB = Cost.core(100);

    /** Assumed: an atomic operation in user mode and its function call. */
    private static final int LOCK_NS = 20;

    /** Assumed: a function that does next to nothing; no piece of work is shorter, so that no loop is endless within a moment. */
    private static final int CALL_NS = 10;

    /** The longest piece of work that one operation holds. */
    private static final long PIECE_NS = 1_000_000_000;

    private static final int LINE = 64;

    private final DescribedTask task;
    private final Reports reports;
    private final SharedThings things;
    private final Workload.Builder builder;
    private final Site site;
    private final Cost call;
    private final Cost kib;

    private Program.Builder program = new Program.Builder();
    private Map<String, Integer> ownTimers = new HashMap<>();

    /**
     * Where a task's figures go.
     *
     * @param operations counter
     * @param missed counter of missed activations, if the task has timers
     * @param slack series, if the task has timers
     */
    record Reports(int operations, int missed, int slack) {}

    StepCompiler(DescribedTask task, Reports reports, SharedThings things, Workload.Builder builder, Site site) {
        this.task = task;
        this.reports = reports;
        this.things = things;
        this.builder = builder;
        this.site = site;
        call = cost("call", CALL);
        kib = cost("kib", KIB);
    }

    private Cost cost(String name, Cost otherwise) {
        return site.machine()
                .requireModel()
                .workloads()
                .getOrDefault("described", Map.of())
                .getOrDefault(name, otherwise);
    }

    /** The program of one more copy of the task, which has timers of its own. */
    Program program() {
        program = new Program.Builder();
        ownTimers = new HashMap<>();
        if (task.delayNs() > 0) {
            program.kernel(call).sleepFor(task.delayNs()).returnToUser();
        }
        steps(task.steps(), 0);
        program.exit();
        return program.build();
    }

    private void steps(List<Step> steps, int level) {
        for (Step step : steps) {
            step(step, level);
        }
    }

    private void step(Step step, int level) {
        switch (step) {
            case Step.Compute compute -> compute(compute.coreNs(), level);
            case Step.ComputeBetween between -> program.userBurst(between.fromNs(), between.toNs());
            case Step.ComputeFor timed -> {
                program.stopwatch();
                int start = program.here();
                program.user(Cost.core(timed.pieceNs())).within(start, timed.ns());
            }
            case Step.Memory memory -> memory(memory.bytes(), level);
            case Step.SystemCalls calls ->
                repeated(calls.count(), level, () -> program.kernel(call).returnToUser());
            case Step.Sleep sleep -> {
                program.kernel(call);
                if (sleep.ns() > 0) {
                    program.sleepFor(sleep.ns());
                }
                program.returnToUser();
            }
            case Step.SleepAbout sleep ->
                program.kernel(call).sleep(sleep.meanNs()).returnToUser();
            case Step.Timer timer -> program.kernel(call).timer(use(timer)).returnToUser();
            case Step.Lock lock -> program.user(Cost.core(LOCK_NS)).lock(things.lock(lock.lock()));
            case Step.Unlock lock ->
                program.user(Cost.core(LOCK_NS))
                        .unlock(things.lock(lock.lock()))
                        .returnToUser();
            case Step.Wait wait ->
                program.kernel(call)
                        .conditionWait(things.condition(wait.condition()), things.lock(wait.lock()))
                        .returnToUser();
            case Step.Signal signal ->
                program.kernel(call)
                        .signal(things.condition(signal.condition()), signal.all() ? Integer.MAX_VALUE : 1)
                        .returnToUser();
            case Step.Barrier barrier ->
                program.kernel(call).barrier(things.barrier(barrier.barrier())).returnToUser();
            case Step.Post post ->
                program.kernel(call)
                        .post(things.semaphore(post.semaphore()), post.count())
                        .returnToUser();
            case Step.Await await ->
                program.kernel(call)
                        .waitFor(things.semaphore(await.semaphore()))
                        .returnToUser();
            case Step.PipeWrite write ->
                program.kernel(call.plus(Site.scaled(kib, write.bytes())))
                        .pipeWrite(things.pipe(write.pipe()), write.bytes())
                        .returnToUser();
            case Step.PipeRead read ->
                program.kernel(call)
                        .pipeRead(things.pipe(read.pipe()), read.bytes(), crossing(read.bytes()))
                        .kernel(Site.scaled(kib, read.bytes()))
                        .returnToUser();
            case Step.SocketSend send ->
                program.kernel(call.plus(Site.scaled(kib, send.bytes())))
                        .socketSend(things.socket(send.socket()), send.bytes())
                        .returnToUser();
            case Step.SocketReceive receive ->
                program.kernel(call)
                        .socketReceive(
                                Workload.peer(things.socket(receive.socket())),
                                receive.bytes(),
                                crossing(receive.bytes()))
                        .kernel(Site.scaled(kib, receive.bytes()))
                        .returnToUser();
            case Step.Fork fork -> {
                DescribedRecipe.ForkedCopies copies = things.copies(fork.task());
                program.kernel(call).forkOneOf(copies.first(), copies.count()).returnToUser();
            }
            case Step.Join _ -> program.kernel(call).join().returnToUser();
            case Step.Yield _ -> program.kernel(call).yieldCpu().returnToUser();
            case Step.Allow allow ->
                program.kernel(call).allow(allowed(allow.cpus())).returnToUser();
            case Step.Renice renice ->
                program.kernel(call).renice(renice.nice()).returnToUser();
            case Step.Enter enter ->
                program.kernel(call).enter(group(enter.group())).returnToUser();
            case Step.Count _ -> program.count().tally(reports.operations());
            case Step.Loop loop -> loop(loop, level);
        }
    }

    private void loop(Step.Loop loop, int level) {
        if (loop.times() == Step.Loop.FOREVER) {
            int start = program.here();
            steps(loop.steps(), level);
            program.jump(start);
        } else {
            repeated(loop.times(), level, () -> steps(loop.steps(), level + 1));
        }
    }

    private void repeated(long times, int level, Runnable body) {
        if (times > 0) {
            int start = program.here();
            body.run();
            if (times > 1) {
                program.repeat(level, start, (int) Math.min(times, Integer.MAX_VALUE));
            }
        }
    }

    /** Work of any length, as whole pieces and a rest. */
    private void compute(long coreNs, int level) {
        repeated(coreNs / PIECE_NS, level, () -> program.user(Cost.core((int) PIECE_NS)));
        if (coreNs % PIECE_NS != 0 || coreNs == 0) {
            program.user(Cost.core((int) Math.max(CALL_NS, coreNs % PIECE_NS)));
        }
    }

    private void memory(long bytes, int level) {
        long pieceBytes = 1 << 20;
        repeated(bytes / pieceBytes, level, () -> program.user(Site.scaled(kib, (int) pieceBytes)));
        program.user(Site.scaled(kib, (int) (bytes % pieceBytes)).plus(Cost.core(CALL_NS)));
    }

    private static Cost crossing(int bytes) {
        return new Cost(0, 0, 1 + (bytes - 1) / LINE);
    }

    private TimerUse use(Step.Timer timer) {
        int number = timer.own()
                ? ownTimers.computeIfAbsent(timer.timer(), _ -> builder.addTimer())
                : things.timer(timer.timer());
        return new TimerUse(
                number, timer.periodNs(), task.delayNs(), timer.absolute(), reports.slack(), reports.missed());
    }

    /** The root stands for the group of the workload as a whole. */
    private int group(String path) {
        return path.isEmpty() ? builder.presentGroup() : builder.group(path);
    }

    private CpuMask allowed(CpuMask cpus) {
        CpuMask mask = cpus.isEmpty() ? site.free() : cpus;
        if (!site.home().containsAll(mask)) {
            throw new InputException("task '" + task.name() + "' binds itself to CPUs " + mask
                    + ", but the workload may run on " + site.home());
        }
        return mask;
    }
}
