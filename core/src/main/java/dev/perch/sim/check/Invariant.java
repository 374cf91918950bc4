package dev.perch.sim.check;

/** What must be true at every moment of a run. */
public enum Invariant {
    TIME_ORDER("time never goes back"),
    SWITCH_CHAIN("a CPU switches away from the task that ran on it"),
    CURRENT_TASK("an event happens in the context of the task that runs"),
    RUNS_ONCE("a task runs on one CPU at a time"),
    RUNS_WHEN_WOKEN("a task that sleeps does not run before it is woken"),
    WAKEUP_ORDER("a wakeup is announced once, of a task that sleeps or is about to, and then takes place"),
    MIGRATION("a task changes its CPU only while it does not run, and runs where it was put"),
    LIFE("a task is born once before it runs, and does nothing after it has ended"),
    IDLE_STATES("a CPU enters and leaves its idle states in turn, and only while it runs nothing"),
    INTERRUPTS("an interrupt that arrives was sent"),
    ONE_QUEUE("a runnable task is on exactly one queue, that of its CPU"),
    QUEUE_COUNTS("a queue counts the tasks and the weight that are on it"),
    IDLE_WITH_WORK("no CPU idles while its own queue has work"),
    WAKEUP_ACCOUNTED("every wakeup runs, waits on a queue or is on its way there"),
    AFFINITY("a task is only where it may run"),
    VIRTUAL_TIME("virtual time passes as a task executes, by its weight"),
    MIN_VRUNTIME("the least virtual runtime of a queue never goes back nor past a task that is on it"),
    SLEEPER_CREDIT("a woken task is at most one sleeper's credit behind its queue"),
    PICK("the task that runs next is the one whose turn it is"),
    LAG("lag stays within its limit"),
    EXECUTION_TIME("tasks are charged the time for which they run, and no other"),
    CPU_TIME("of each CPU, time of tasks, idle time and time of interrupts add up to what has elapsed");

    private final String text;

    Invariant(String text) {
        this.text = text;
    }

    /** The statement in words. */
    public String text() {
        return text;
    }
}
