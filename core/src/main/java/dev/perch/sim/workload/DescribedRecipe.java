package dev.perch.sim.workload;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the tasks of a described workload: copies of each, the things that they share, what is counted and timed of them.
 *
 * <p>Reported for each task: operations a second, missed activations of its timers, percentiles of the time that was left until they were
 * due, and of the latency from a wakeup, or from the end of a sleep, until the task runs. Copies of a task are reported together.
 *
 * <p>Limitations: at most {@value #FORK_LIMIT} forked copies of a task live at once.
 */
record DescribedRecipe(DescribedWorkload workload) implements Recipe {
    private static final int FORK_LIMIT = 64;

    @Override
    public WorkloadKind kind() {
        return workload.kind();
    }

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        int instance = builder.addInstance(kind());
        List<DescribedTask> tasks = workload.tasks();
        int[] latencies = new int[tasks.size()];
        for (int i = 0; i < latencies.length; i++) {
            latencies[i] = builder.addSeries(instance, tasks.get(i).name() + " wakeup latency");
        }
        Map<String, ForkedCopies> forked = forked(builder.nextTask());
        SharedThings things = new SharedThings(builder, workload.barriers(), forked);
        workload.groups().forEach(builder::describeGroup);
        int process = builder.addProcess();
        List<StepCompiler> compilers = new ArrayList<>();
        for (DescribedTask task : tasks) {
            compilers.add(new StepCompiler(task, reports(builder, instance, task), things, builder, site));
        }
        for (boolean forks : new boolean[] {false, true}) {
            for (int i = 0; i < latencies.length; i++) {
                DescribedTask task = tasks.get(i);
                int forkedCopies = forked.containsKey(task.name()) ? FORK_LIMIT : 0;
                for (int copy = 0; copy < (forks ? forkedCopies : task.copies()); copy++) {
                    builder.addTask(new Workload.Task(
                            task.name(),
                            compilers.get(i).program(),
                            allowed(task, site),
                            instance,
                            workload.threads() ? process : builder.addProcess(),
                            forks,
                            task.policy(),
                            group(builder, task, forks),
                            latencies[i]));
                }
            }
        }
    }

    private static int group(Workload.Builder builder, DescribedTask task, boolean forked) {
        if (!task.group().isEmpty()) {
            return builder.group(task.group());
        }
        return forked ? Workload.INHERITED : builder.presentGroup();
    }

    private StepCompiler.Reports reports(Workload.Builder builder, int instance, DescribedTask task) {
        boolean timers = uses(task.steps(), Step.Timer.class);
        return new StepCompiler.Reports(
                builder.addCounter(instance, task.name() + " " + workload.operation()),
                timers ? builder.addCounter(instance, task.name() + " missed activations") : 0,
                timers ? builder.addMargin(instance, task.name() + " slack") : 0);
    }

    /** The tasks that are forked, with the numbers that their copies get: after those that run from the start. */
    private Map<String, ForkedCopies> forked(int firstTask) {
        int next = firstTask;
        for (DescribedTask task : workload.tasks()) {
            next += task.copies();
        }
        Map<String, ForkedCopies> forked = new LinkedHashMap<>();
        for (DescribedTask task : workload.tasks()) {
            Step.Fork fork = new Step.Fork(task.name());
            if (workload.tasks().stream().anyMatch(other -> contains(other.steps(), fork))) {
                forked.put(task.name(), new ForkedCopies(next, FORK_LIMIT));
                next += FORK_LIMIT;
            }
        }
        return forked;
    }

    /** Tasks {@code first} to {@code first} + {@code count} − 1 wait to be forked. */
    record ForkedCopies(int first, int count) {}

    private static boolean contains(Iterable<Step> steps, Step wanted) {
        for (Step step : steps) {
            if (step.equals(wanted) || step instanceof Step.Loop loop && contains(loop.steps(), wanted)) {
                return true;
            }
        }
        return false;
    }

    private static boolean uses(Iterable<Step> steps, Class<? extends Step> kind) {
        for (Step step : steps) {
            if (kind.isInstance(step) || step instanceof Step.Loop loop && uses(loop.steps(), kind)) {
                return true;
            }
        }
        return false;
    }

    private CpuMask allowed(DescribedTask task, Site site) {
        CpuMask allowed = task.cpus().isEmpty() ? site.free() : task.cpus();
        if (!site.home().containsAll(allowed)) {
            throw new InputException("workload '" + kind().name() + "': task '" + task.name() + "' is bound to CPUs "
                    + allowed + ", but the workload may run on " + site.home());
        }
        return allowed;
    }
}
