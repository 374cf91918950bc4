package dev.perch.sim.check;

/** Words for what is wrong. */
final class Violations {
    static final int NOBODY = -1;

    private final CheckedRun run;

    Violations(CheckedRun run) {
        this.run = run;
    }

    /** {@code task} may be {@link #NOBODY}. */
    InvariantViolation violation(Invariant invariant, long ns, int cpu, int task, String state) {
        StringBuilder text = new StringBuilder("'")
                .append(invariant.text())
                .append("' is broken at ")
                .append(ns)
                .append(" ns on CPU ")
                .append(cpu);
        if (task != NOBODY) {
            text.append(", ").append(task(task));
        }
        return new InvariantViolation(invariant, text.append(": ").append(state).toString());
    }

    /** Number and name of a task. */
    String task(int task) {
        return task == 0 ? "the idle thread" : "task " + task + " (" + run.nameOf(task) + ")";
    }
}
