package dev.perch.sim;

import dev.perch.kernel.RuleKind;
import dev.perch.kernel.TaskTable;
import dev.perch.model.CpuMask;
import dev.perch.sim.workload.Program;
import dev.perch.sim.workload.RowTable;
import dev.perch.sim.workload.TimerUse;
import dev.perch.sim.workload.Workload;

/**
 * The tasks as they run their programs: computing, and what they do with channels, pipes, sockets, futexes, timers and children.
 *
 * <p>An operation that must wait puts its task into a queue and sends it to sleep; when the task runs again, it tries the operation again.
 * Whoever wakes others has a list of them and wakes them one by one, each at the cost of a wakeup, before it goes on.
 */
final class Execution {
    private static final long SECOND = 1_000_000_000;

    private final Run run;
    private final Cpus cpus;
    private final Programs programs;
    private final WaitQueues queues;
    private final Pipes pipes;
    private final Sockets sockets;
    private final Futexes futexes;
    private final int noisePerMille;

    Execution(Run run) {
        this.run = run;
        cpus = run.cpus;
        programs = run.programs;
        noisePerMille = run.settings.noisePerMille();
        Workload.Shared shared = run.workload.shared();
        int firstSocketQueue = shared.pipes() * Pipes.QUEUES;
        int firstFutexQueue = firstSocketQueue + shared.sockets();
        int tasks = run.taskCount;
        queues = new WaitQueues(firstFutexQueue + Futexes.queueCount(shared), tasks);
        pipes = new Pipes(shared.pipes(), tasks, queues, 0, run.kernel.rules().id(RuleKind.PIPE_WAKEUP));
        sockets = new Sockets(shared.sockets(), tasks, queues, firstSocketQueue);
        futexes = new Futexes(shared, tasks, queues, firstFutexQueue, programs.mark);
    }

    /** The current task goes on with its program until an operation takes time. Pending interrupts come first. */
    void proceed(int cpu) {
        if (cpus.pending[cpu] != 0) {
            run.interrupts.oweHandlers(cpu);
            run.interrupts.handlePending(cpu);
        }
        int task = cpus.current[cpu];
        Program program = programs.program[task];
        while (true) {
            int wakee = queues.nextToWake(task);
            if (wakee != WaitQueues.NOBODY) {
                if (run.wakeups.begin(cpu, wakee, queues.isSync(task))) {
                    return;
                }
                continue;
            }
            if (programs.blocking[task]) {
                programs.blocking[task] = false;
                run.scheduling.beginBlocking(cpu);
                return;
            }
            if (perform(cpu, task, program, programs.counter[task])) {
                return;
            }
        }
    }

    /**
     * Does the task's current operation, or tries to.
     *
     * @return whether the CPU is now busy with it
     */
    private boolean perform(int cpu, int task, Program program, int counter) {
        int argument = program.argument[counter];
        switch (program.op[counter]) {
            case Program.USER, Program.KERNEL -> {
                compute(cpu, task, program.coreNs[counter], program.wallNs[counter]);
                return true;
            }
            case Program.KERNEL_OF_ROW -> {
                RowTable table = program.table(argument);
                compute(cpu, task, table.coreNs[programs.row[task]], table.wallNs[programs.row[task]]);
                return true;
            }
            case Program.BURST, Program.USER_BURST -> {
                int range = program.coreNs[counter] - argument;
                compute(cpu, task, argument + run.noise.below(task, range + 1), 0);
                return true;
            }
            case Program.SEND -> {
                programs.messages[argument]++;
                programs.senderCpu[argument] = cpu;
                programs.messageRow[argument] = programs.row[task];
                int receiver = programs.waiter[argument];
                if (receiver != Programs.NOBODY) {
                    programs.waiter[argument] = Programs.NOBODY;
                    queues.wake(receiver, task, true);
                }
                programs.counter[task]++;
            }
            case Program.RETURN -> {
                programs.counter[task]++;
                if (run.runqueues[cpu].reschedulePending()) {
                    run.scheduling.schedule(cpu);
                    return true;
                }
            }
            case Program.RECEIVE -> {
                if (programs.messages[argument] == 0) {
                    programs.waiter[argument] = task;
                    sleep(task);
                } else {
                    receive(cpu, task, program, counter);
                }
            }
            case Program.PIPE_WRITE -> goOn(task, pipes.write(argument, task, program.second[counter], cpu));
            case Program.PIPE_READ -> {
                boolean done = pipes.read(argument, task, program.second[counter]);
                if (done) {
                    cross(cpu, pipes.lastWriterCpu(argument), program, counter);
                }
                goOn(task, done);
            }
            case Program.PIPE_LOCK -> {
                lockPipe(cpu, argument, program, counter);
                programs.counter[task]++;
            }
            case Program.PIPE_POLL -> goOn(task, pipes.poll(argument, task));
            case Program.SOCKET_SEND -> goOn(task, sockets.send(argument, task, program.second[counter], cpu));
            case Program.SOCKET_RECEIVE -> {
                boolean done = sockets.receive(argument, task, program.second[counter]);
                if (done) {
                    cross(cpu, sockets.lastSenderCpu(argument), program, counter);
                }
                goOn(task, done);
            }
            case Program.SOCKET_AWAIT -> {
                boolean done = sockets.await(argument, task);
                if (done) {
                    cross(cpu, sockets.lastSenderCpu(argument), program, counter);
                }
                goOn(task, done);
            }
            case Program.POST -> {
                futexes.post(argument, program.second[counter], task, run.now);
                programs.counter[task]++;
            }
            case Program.WAIT -> goOn(task, futexes.await(argument, task));
            case Program.LOCK -> goOn(task, futexes.lock(argument, task));
            case Program.UNLOCK -> {
                futexes.unlock(argument, task);
                programs.counter[task]++;
            }
            case Program.LOCK_OF_CPU -> goOn(task, futexes.lockOfCpu(argument, cpu, task));
            case Program.UNLOCK_OF_CPU -> {
                futexes.unlockOfCpu(task);
                programs.counter[task]++;
            }
            case Program.BARRIER -> goOn(task, futexes.arrive(argument, task));
            case Program.CONDITION_WAIT -> goOn(task, futexes.awaitCondition(argument, program.second[counter], task));
            case Program.SIGNAL -> {
                futexes.signal(argument, program.second[counter], task, run.now);
                programs.counter[task]++;
            }
            case Program.FORK -> {
                int child = programs.child(argument, program.second[counter], run.tasks);
                programs.counter[task]++;
                programs.parent[child] = task;
                programs.childrenAlive[task]++;
                run.wakeups.fork(cpu, child);
                return true;
            }
            case Program.EXIT -> exit(cpu, task);
            case Program.JOIN -> {
                programs.joining[task] = programs.childrenAlive[task] > 0;
                goOn(task, !programs.joining[task]);
            }
            case Program.SLEEP -> sleepFor(cpu, task, run.noise.exponential(task, argument));
            case Program.SLEEP_FOR -> sleepFor(cpu, task, argument + SECOND * program.second[counter]);
            case Program.TIMER -> sleepUntil(cpu, task, program.timer(argument));
            case Program.ALLOW -> allow(cpu, task, program.mask(argument));
            case Program.RENICE -> {
                run.runqueues[cpu].refresh(run.now);
                run.runqueues[cpu].renice(task, argument);
                run.refreshView(cpu);
                programs.counter[task]++;
            }
            case Program.ENTER -> {
                run.loads.age(cpu);
                run.runqueues[cpu].refresh(run.now);
                run.runqueues[cpu].changeGroup(argument);
                run.refreshView(cpu);
                programs.counter[task]++;
            }
            case Program.SLEEP_UNTIL -> sleepUntil(cpu, task, argument, program.second[counter]);
            case Program.YIELD -> {
                programs.counter[task]++;
                run.runqueues[cpu].refresh(run.now);
                run.runqueues[cpu].yieldCurrent();
                run.scheduling.schedule(cpu);
                return true;
            }
            case Program.JUMP -> programs.counter[task] = argument;
            case Program.REPEAT -> {
                boolean again = programs.again(task, program.coreNs[counter], program.second[counter]);
                programs.counter[task] = again ? argument : counter + 1;
            }
            case Program.DRAW -> {
                RowTable table = program.table(argument);
                programs.row[task] = table.rowOf(run.noise.below(task, table.weight()));
                programs.counter[task]++;
            }
            default -> note(task, program, counter);
        }
        return false;
    }

    /** Operations that only count or time. */
    private void note(int task, Program program, int counter) {
        int argument = program.argument[counter];
        switch (program.op[counter]) {
            case Program.COUNT -> run.measurements.operation(task, 0);
            case Program.COUNT_ROW ->
                run.measurements.operation(task, program.table(argument).amount[programs.row[task]]);
            case Program.TALLY -> run.measurements.tally(argument);
            case Program.STOPWATCH -> programs.stopwatch[task] = run.now;
            case Program.WITHIN -> {
                long limit = program.second[counter] + SECOND * program.coreNs[counter];
                if (run.now - programs.stopwatch[task] < limit) {
                    programs.counter[task] = argument;
                    return;
                }
            }
            case Program.MARK -> programs.mark[task] = run.now;
            case Program.MEASURE -> run.measurements.latency(argument, run.now - programs.mark[task]);
            case Program.BEGIN -> run.timedPartBegins(task);
            case Program.END -> run.timedPartEnds(task);
            default -> throw new IllegalStateException("operation " + program.op[counter]);
        }
        programs.counter[task]++;
    }

    private void goOn(int task, boolean done) {
        if (done) {
            programs.counter[task]++;
        } else {
            sleep(task);
        }
    }

    /** From now on a wakeup counts; the task leaves its CPU once it has woken whom it has to. */
    private void sleep(int task) {
        programs.sleeping[task] = true;
        programs.blocking[task] = true;
    }

    private void sleepFor(int cpu, int task, long ns) {
        programs.dueAt[task] = run.now + ns;
        run.interrupts.startTimer(task, cpu, run.now + ns);
        programs.counter[task]++;
        sleep(task);
    }

    private void sleepUntil(int cpu, int task, int timer, int periodNs) {
        long last = programs.activation[timer];
        long next = (last < 0 ? run.now : last) + periodNs;
        programs.activation[timer] = Math.max(next, run.now);
        programs.mark[task] = programs.activation[timer];
        if (next <= run.now) {
            programs.counter[task]++; // too late: the next activation is now
        } else {
            sleepFor(cpu, task, next - run.now);
        }
    }

    private void sleepUntil(int cpu, int task, TimerUse use) {
        long last = programs.activation[use.timer()];
        long next = (last < 0 ? use.originNs() : last) + use.periodNs();
        boolean missed = next <= run.now;
        run.measurements.latency(use.slack(), next - run.now);
        programs.activation[use.timer()] = missed && !use.absolute() ? run.now : next;
        if (missed) {
            run.measurements.tally(use.missed());
            programs.counter[task]++;
        } else {
            sleepFor(cpu, task, next - run.now);
        }
    }

    /** A task whose CPU is no longer allowed leaves it at once: here by a sleep of a nanosecond, whose wakeup places it anew. */
    private void allow(int cpu, int task, CpuMask mask) {
        run.tasks.allowed[task] = mask;
        if (mask.contains(cpu)) {
            programs.counter[task]++;
        } else {
            sleepFor(cpu, task, 1);
        }
    }

    private void receive(int cpu, int task, Program program, int counter) {
        int channel = program.argument[counter];
        programs.messages[channel]--;
        programs.counter[task]++;
        programs.row[task] = programs.messageRow[channel];
        int sender = programs.senderCpu[channel];
        if (program.second[counter] < 0) {
            cross(cpu, sender, program, counter);
        } else if (sender != cpu) {
            RowTable table = program.table(program.second[counter]);
            int row = programs.row[task];
            cpus.owe(cpu, table.coreNs[row], table.wallNs[row] + run.costs.lineNs(table.lines[row], sender, cpu));
        }
    }

    /** A call on a pipe waits for the pipe's mutex and has its lines fetched; what it does with the mutex is part of the work beside this. */
    private void lockPipe(int cpu, int pipe, Program program, int counter) {
        int from = pipes.lastCpu(pipe, cpu);
        long core = program.second[counter];
        long wall = 0;
        if (from != cpu) {
            core += program.coreNs[counter];
            wall += program.wallNs[counter] + run.costs.lineNs(program.lines[counter], from, cpu);
        }
        cross(cpu, from, program, counter);
        cpus.owe(cpu, 0, pipes.lock(pipe, cpu, run.now, wall + run.processors.wallNs(cpu, core)));
    }

    /** What comes from another CPU costs more to take. */
    private void cross(int cpu, int sender, Program program, int counter) {
        if (sender != cpu) {
            cpus.owe(
                    cpu,
                    program.coreNs[counter],
                    program.wallNs[counter] + run.costs.lineNs(program.lines[counter], sender, cpu));
        }
    }

    /** A dying task tells its parent if that one waits; the parent of a thread is woken through a futex, of a process through its wait queue. */
    private void exit(int cpu, int task) {
        if (!programs.exited[task]) {
            programs.exited[task] = true;
            run.events.exited(run.now, cpu, task, run.tasks.prio[task]);
            int parent = programs.parent[task];
            if (parent != TaskTable.IDLE_TASK && --programs.childrenAlive[parent] == 0 && programs.joining[parent]) {
                programs.joining[parent] = false;
                queues.wake(parent, task, programs.process[parent] != programs.process[task]);
            }
        }
        sleep(task);
    }

    private void compute(int cpu, int task, int coreNs, int wallNs) {
        if (programs.leftCoreNs[task] >= 0) {
            run.work(cpu, Cpus.RUNNING, programs.leftCoreNs[task], programs.leftWallNs[task]);
            programs.leftCoreNs[task] = -1;
            return;
        }
        run.work(cpu, Cpus.RUNNING, run.noise.jitter(task, coreNs, noisePerMille), wallNs);
    }

    /** The current task has finished an operation that took time. */
    void operationDone(int cpu) {
        int task = cpus.current[cpu];
        boolean user = isUser(task);
        programs.counter[task]++;
        if (user && run.runqueues[cpu].reschedulePending()) {
            run.scheduling.schedule(cpu);
        } else {
            proceed(cpu);
        }
    }

    /** Whether the task's current operation may be preempted at any moment. */
    boolean isUser(int task) {
        int op = programs.program[task].op[programs.counter[task]];
        return op == Program.USER || op == Program.USER_BURST;
    }
}
