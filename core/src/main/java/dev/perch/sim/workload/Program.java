package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.List;

/**
 * What a task does: a list of operations, run in order from 0; after {@link #EXIT} nothing.
 *
 * <p>Operations on things that tasks share (channels, pipes, sockets, semaphores, locks, barriers, conditions) name them by the numbers that
 * {@link Workload.Builder} gave. They take no time of their own: what the system call around one costs is a {@link #KERNEL} operation
 * beside it, and each wakeup costs what the kernel's path of a wakeup costs. Which of them wake synchronously is spec scheduler.md 9.1.
 */
public final class Program {
    /** Compute in user mode; may be preempted at any moment. */
    public static final int USER = 0;

    /** Work inside the kernel; a preemption request waits until {@link #RETURN} or until the task blocks. */
    public static final int KERNEL = 1;

    /** Put a message into a channel and wake the task that waits for it (sync); the message carries the sender's row. */
    public static final int SEND = 2;

    /** Return to user mode: a pending preemption request is honoured here. */
    public static final int RETURN = 3;

    /** Take a message from a channel, and its row; block while there is none. */
    public static final int RECEIVE = 4;

    /** Count one finished operation of the workload. */
    public static final int COUNT = 5;

    /** Sleep for a random time of the given mean. */
    public static final int SLEEP = 6;

    /** Compute for a random time between the given bounds. */
    public static final int BURST = 7;

    /** Go on at another operation. */
    public static final int JUMP = 8;

    /** Write bytes into a pipe; block while they do not fit. */
    public static final int PIPE_WRITE = 9;

    /** Read until so many bytes have come from a pipe. */
    public static final int PIPE_READ = 10;

    /** Wait until a pipe can be read, and read nothing. */
    public static final int PIPE_POLL = 11;

    /** Send bytes at one end of a pair of stream sockets; block while that end's buffer limit is reached. */
    public static final int SOCKET_SEND = 12;

    /** Receive at one end of a pair of stream sockets until so many bytes have come. */
    public static final int SOCKET_RECEIVE = 13;

    /** Raise a semaphore by so many and hand them to those that wait longest. */
    public static final int POST = 14;

    /** Lower a semaphore by one; block while it is 0. */
    public static final int WAIT = 15;

    /** Take a lock; block while another task has it. */
    public static final int LOCK = 16;

    /** Free a lock and wake the task that waits longest for it. */
    public static final int UNLOCK = 17;

    /** Take that lock of a row of them, one a CPU, which is of the CPU that the task is on. */
    public static final int LOCK_OF_CPU = 18;

    /** Free the lock that {@link #LOCK_OF_CPU} took. */
    public static final int UNLOCK_OF_CPU = 19;

    /** Wait until all parties of a barrier have come. */
    public static final int BARRIER = 20;

    /** Wait for a signal of a condition; a lock is freed meanwhile and not taken again. */
    public static final int CONDITION_WAIT = 21;

    /** Wake up to so many tasks that wait for a condition. */
    public static final int SIGNAL = 22;

    /** Start a task of the workload, as this one's child. */
    public static final int FORK = 23;

    /** End the task and tell its parent. */
    public static final int EXIT = 24;

    /** Wait until all children have ended. */
    public static final int JOIN = 25;

    /** Go back to another operation until it has been so many times. */
    public static final int REPEAT = 26;

    /** Sleep for a fixed time. */
    public static final int SLEEP_FOR = 27;

    /** Sleep until the next activation of a periodic timer; what is missed is skipped. */
    public static final int SLEEP_UNTIL = 28;

    /** Draw the task's row: which of several kinds of operation comes next. */
    public static final int DRAW = 29;

    /** {@link #KERNEL} whose cost depends on the task's row. */
    public static final int KERNEL_OF_ROW = 30;

    /** Count one finished operation, and the amount that belongs to the task's row. */
    public static final int COUNT_ROW = 31;

    /** Remember the time, for {@link #MEASURE}. */
    public static final int MARK = 32;

    /** Note how long ago the task was marked: by itself, by who posted its semaphore, or by its timer. */
    public static final int MEASURE = 33;

    /** The timed part of a workload that ends begins. */
    public static final int BEGIN = 34;

    /** The timed part is over; when it is for all, the run is. */
    public static final int END = 35;

    /** Let others run that wait on this CPU ({@code sched_yield}). */
    public static final int YIELD = 36;

    /** {@link #BURST} in user mode. */
    public static final int USER_BURST = 37;

    /** Sleep until the next activation of a timer of which a {@link TimerUse} says more. */
    public static final int TIMER = 38;

    /** Remember the time, for {@link #WITHIN}. */
    public static final int STOPWATCH = 39;

    /** Go back to another operation until so much time has passed since {@link #STOPWATCH}. */
    public static final int WITHIN = 40;

    /** Change the task's affinity. */
    public static final int ALLOW = 41;

    /** Change the task's nice value. */
    public static final int RENICE = 42;

    /** Raise a counter of the workload by one. */
    public static final int TALLY = 43;

    /** Go to another task group. */
    public static final int ENTER = 44;

    /** Take a pipe's mutex and have the pipe's own lines, which readers and writers write alike, on this CPU. */
    public static final int PIPE_LOCK = 45;

    /** Wait until there is something to receive at one end of a pair of stream sockets, and receive nothing. */
    public static final int SOCKET_AWAIT = 46;

    /** Operation by counter. */
    public final int[] op;

    /** Number of a shared thing, jump target, a time in ns, or index of a table. */
    public final int[] argument;

    /** Bytes, a count, a second number, a time in ns, or whole seconds. */
    public final int[] second;

    public final int[] coreNs;
    public final int[] wallNs;
    public final int[] lines;

    private final RowTable[] tables;
    private final TimerUse[] timers;
    private final CpuMask[] masks;

    private Program(List<int[]> steps, List<RowTable> tables, List<TimerUse> timers, List<CpuMask> masks) {
        int size = steps.size();
        op = new int[size];
        argument = new int[size];
        second = new int[size];
        coreNs = new int[size];
        wallNs = new int[size];
        lines = new int[size];
        for (int i = 0; i < size; i++) {
            int[] step = steps.get(i);
            op[i] = step[0];
            argument[i] = step[1];
            second[i] = step[2];
            coreNs[i] = step[3];
            wallNs[i] = step[4];
            lines[i] = step[5];
        }
        this.tables = tables.toArray(RowTable[]::new);
        this.timers = timers.toArray(TimerUse[]::new);
        this.masks = masks.toArray(CpuMask[]::new);
    }

    /** The table with the given index. */
    public RowTable table(int index) {
        return tables[index];
    }

    /** The timer of a {@link #TIMER} with the given argument. */
    public TimerUse timer(int index) {
        return timers[index];
    }

    /** The affinity of an {@link #ALLOW} with the given argument. */
    public CpuMask mask(int index) {
        return masks[index];
    }

    /** Writes a program, one call an operation. */
    public static final class Builder {
        /** No table, for {@link #receive(int, Cost)}. */
        private static final int NO_TABLE = -1;

        private static final long SECOND = 1_000_000_000;

        private final List<int[]> steps = new ArrayList<>();
        private final List<RowTable> tables = new ArrayList<>();
        private final List<TimerUse> timers = new ArrayList<>();
        private final List<CpuMask> masks = new ArrayList<>();

        private Builder add(int op, int argument, int second, Cost cost) {
            steps.add(new int[] {op, argument, second, cost.coreNs(), cost.wallNs(), cost.lines()});
            return this;
        }

        private Builder add(int op, int argument, int second) {
            return add(op, argument, second, Cost.NONE);
        }

        private int table(RowTable table) {
            int index = tables.indexOf(table);
            if (index < 0) {
                index = tables.size();
                tables.add(table);
            }
            return index;
        }

        /** Number of the operation that comes next, for jumps to it. */
        public int here() {
            return steps.size();
        }

        public Builder user(Cost cost) {
            return add(USER, 0, 0, cost);
        }

        public Builder kernel(Cost cost) {
            return add(KERNEL, 0, 0, cost);
        }

        public Builder send(int channel) {
            return add(SEND, channel, 0);
        }

        public Builder returnToUser() {
            return add(RETURN, 0, 0);
        }

        /** {@code crossing} is paid when the message was sent from another CPU; its lines come from that CPU. */
        public Builder receive(int channel, Cost crossing) {
            return add(RECEIVE, channel, NO_TABLE, crossing);
        }

        /** As {@link #receive(int, Cost)}, with the costs of the message's row. */
        public Builder receive(int channel, RowTable crossing) {
            return add(RECEIVE, channel, table(crossing));
        }

        public Builder count() {
            return add(COUNT, 0, 0);
        }

        /** {@code meanNs} up to 2 s. */
        public Builder sleep(int meanNs) {
            return add(SLEEP, meanNs, 0);
        }

        /** {@code fromNs} to {@code toNs} at the nominal clock. */
        public Builder burst(int fromNs, int toNs) {
            return add(BURST, fromNs, 0, Cost.core(toNs));
        }

        public Builder jump(int target) {
            return add(JUMP, target, 0);
        }

        /** {@code bytes} 1 or more. */
        public Builder pipeWrite(int pipe, int bytes) {
            return add(PIPE_WRITE, pipe, bytes);
        }

        /** {@code crossing} is paid when what is read was written last from another CPU. */
        public Builder pipeRead(int pipe, int bytes, Cost crossing) {
            return add(PIPE_READ, pipe, bytes, crossing);
        }

        /** {@code crossing} is paid when another CPU has had the pipe since this one had. */
        public Builder pipeLock(int pipe, int holdNs, Cost crossing) {
            return add(PIPE_LOCK, pipe, holdNs, crossing);
        }

        public Builder pipePoll(int pipe) {
            return add(PIPE_POLL, pipe, 0);
        }

        /** {@code bytes} 1 or more, to the peer of {@code end}. */
        public Builder socketSend(int end, int bytes) {
            return add(SOCKET_SEND, end, bytes);
        }

        /** What the peer of {@code end} has sent; {@code crossing} is paid when that was sent last from another CPU. */
        public Builder socketReceive(int end, int bytes, Cost crossing) {
            return add(SOCKET_RECEIVE, end, bytes, crossing);
        }

        /** {@code crossing} as in {@link #socketReceive}, paid when the wait is over. */
        public Builder socketAwait(int end, Cost crossing) {
            return add(SOCKET_AWAIT, end, 0, crossing);
        }

        /** {@code count} 1 or more. */
        public Builder post(int semaphore, int count) {
            return add(POST, semaphore, count);
        }

        public Builder waitFor(int semaphore) {
            return add(WAIT, semaphore, 0);
        }

        public Builder lock(int lock) {
            return add(LOCK, lock, 0);
        }

        public Builder unlock(int lock) {
            return add(UNLOCK, lock, 0);
        }

        /** {@code first}: lock of CPU 0; that of CPU n is number first + n. */
        public Builder lockOfCpu(int first) {
            return add(LOCK_OF_CPU, first, 0);
        }

        public Builder unlockOfCpu() {
            return add(UNLOCK_OF_CPU, 0, 0);
        }

        public Builder barrier(int barrier) {
            return add(BARRIER, barrier, 0);
        }

        /** Frees {@code lock}, which the task has, waits, and takes it again. */
        public Builder conditionWait(int condition, int lock) {
            add(CONDITION_WAIT, condition, lock);
            return lock(lock);
        }

        /** {@code count} 1 or more; {@code Integer.MAX_VALUE} for all that wait. */
        public Builder signal(int condition, int count) {
            return add(SIGNAL, condition, count);
        }

        /** {@code task}: number of a task that was added as not yet started. */
        public Builder fork(int task) {
            return add(FORK, task, 0);
        }

        /** Starts that one of the {@code count} tasks from {@code first} on which has not run yet or has ended. */
        public Builder forkOneOf(int first, int count) {
            return add(FORK, first, count);
        }

        public Builder exit() {
            return add(EXIT, 0, 0);
        }

        public Builder join() {
            return add(JOIN, 0, 0);
        }

        /**
         * Does everything from {@code target} to here {@code times} times in all.
         *
         * @param level nesting depth of this loop, from 0; loops inside each other have different ones
         */
        public Builder repeat(int level, int target, int times) {
            return add(REPEAT, target, times, Cost.core(level));
        }

        /** {@code ns} 1 or more. */
        public Builder sleepFor(int ns) {
            return add(SLEEP_FOR, ns, 0);
        }

        /** {@code ns} 1 or more, up to 68 years. */
        public Builder sleepFor(long ns) {
            return add(SLEEP_FOR, (int) (ns % SECOND), (int) (ns / SECOND));
        }

        public Builder timer(TimerUse use) {
            timers.add(use);
            return add(TIMER, timers.size() - 1, 0);
        }

        public Builder stopwatch() {
            return add(STOPWATCH, 0, 0);
        }

        /** Goes back to {@code target} until {@code ns} have passed since the last {@link #stopwatch}. */
        public Builder within(int target, long ns) {
            return add(WITHIN, target, (int) (ns % SECOND), Cost.core((int) (ns / SECOND)));
        }

        /** As {@link #burst}, preemptible at any moment. */
        public Builder userBurst(int fromNs, int toNs) {
            return add(USER_BURST, fromNs, 0, Cost.core(toNs));
        }

        /** {@code mask} must not be empty. */
        public Builder allow(CpuMask mask) {
            masks.add(mask);
            return add(ALLOW, masks.size() - 1, 0);
        }

        /** {@code nice} −20 to 19, of a task of SCHED_OTHER or SCHED_BATCH. */
        public Builder renice(int nice) {
            return add(RENICE, nice, 0);
        }

        /** {@code group} by its number; of a fair task. */
        public Builder enter(int group) {
            return add(ENTER, group, 0);
        }

        public Builder tally(int counter) {
            return add(TALLY, counter, 0);
        }

        /** {@code periodNs} 1 or more. */
        public Builder sleepUntil(int timer, int periodNs) {
            return add(SLEEP_UNTIL, timer, periodNs);
        }

        /** Draws a row of {@code table} by its weights. */
        public Builder draw(RowTable table) {
            return add(DRAW, table(table), 0);
        }

        public Builder kernelOfRow(RowTable table) {
            return add(KERNEL_OF_ROW, table(table), 0);
        }

        public Builder countRow(RowTable table) {
            return add(COUNT_ROW, table(table), 0);
        }

        public Builder mark() {
            return add(MARK, 0, 0);
        }

        public Builder measure(int series) {
            return add(MEASURE, series, 0);
        }

        public Builder begin() {
            return add(BEGIN, 0, 0);
        }

        public Builder end() {
            return add(END, 0, 0);
        }

        public Builder yieldCpu() {
            return add(YIELD, 0, 0);
        }

        public Program build() {
            return new Program(steps, tables, timers, masks);
        }
    }
}
