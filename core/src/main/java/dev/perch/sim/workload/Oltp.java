package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.sim.workload.WorkloadKind.Measure;
import java.util.List;

/**
 * A database server under transactions: clients, a server thread for each, row locks, and a log whose writer commits whole groups (sysbench
 * oltp on MySQL; spec scheduler.md 9.7).
 *
 * <p>A read-write transaction is 20 statements, four of which write: a server thread holds one of the locks while it executes such a one.
 * The commit waits until the log writer's next write is done; that wakes all who wait. A read-only transaction is 16 statements.
 *
 * <p>A connection is a pair of sockets for each direction, so that nobody is woken for room to send while waiting for an answer: TCP wakes for
 * that only who asked for it, and newer client libraries wait in a poll, which asks for data only.
 *
 * <p>Limitations: which locks a thread takes is fixed; whoever joins while the log is being written is committed with that write; no
 * background threads.
 */
final class Oltp implements Recipe {
    private static final String READ_WRITE = "read-write";

    private static final WorkloadKind KIND = new WorkloadKind(
            "oltp",
            "clients of a database server: statements over sockets, row locks, group commit",
            "sysbench oltp on MySQL, as mentioned on linux-kernel in November 2021",
            Measure.RATE,
            "transactions/s",
            List.of(
                    "threads=N clients, and server threads (the number of CPUs)",
                    "mode=read-write|read-only transactions of 20 or 16 statements (read-write)",
                    "locks=N locks that the writing statements share (64)"));

    private static final int READ_WRITE_STATEMENTS = 20;
    private static final int READ_ONLY_STATEMENTS = 16;
    /** Writing statements of a transaction; they stand before the commit. */
    private static final int WRITES = 4;

    private static final int REQUEST_BYTES = 100;
    private static final int RESPONSE_BYTES = 200;

    @Override
    public WorkloadKind kind() {
        return KIND;
    }

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        int threads = options.number("threads", site.cpuCount(), 4096);
        boolean writes =
                options.choice("mode", List.of(READ_WRITE, "read-only")).equals(READ_WRITE);
        int locks = options.number("locks", 64, 65_536);
        int statements = writes ? READ_WRITE_STATEMENTS : READ_ONLY_STATEMENTS;
        int instance = builder.addInstance(KIND);
        int latency = builder.addSeries(instance, "transaction latency");
        int clients = builder.addProcess();
        int server = builder.addProcess();
        Log log = new Log(builder.addSemaphore(0, 1), builder.addCondition(), builder.addLock(), site.call("futex"));
        int firstLock = builder.addLock();
        for (int lock = 1; lock < locks; lock++) {
            builder.addLock();
        }
        for (int thread = 0; thread < threads; thread++) {
            int request = builder.addSocketPair();
            int response = builder.addSocketPair();
            Program.Builder asks = new Program.Builder().mark();
            int again = asks.here();
            asks.user(site.cost("oltp", "client"))
                    .kernel(site.call("socket-send"))
                    .socketSend(request, REQUEST_BYTES)
                    .returnToUser()
                    .socketReceive(Workload.peer(response), RESPONSE_BYTES, site.call("crossing"))
                    .kernel(site.call("socket-receive"))
                    .returnToUser()
                    .repeat(0, again, statements)
                    .measure(latency)
                    .count()
                    .jump(0);
            builder.addThread(clients, "sysbench", asks.build(), site.free(), instance);
            Program.Builder answers = new Program.Builder();
            for (int statement = 0; statement < statements; statement++) {
                answers.socketReceive(Workload.peer(request), REQUEST_BYTES, site.call("crossing"))
                        .kernel(site.call("socket-receive"))
                        .returnToUser();
                int write = statement - (statements - 1 - WRITES);
                if (writes && statement == statements - 1) {
                    log.commit(answers);
                } else if (writes && write >= 0) {
                    int lock = firstLock + (thread * WRITES + write) % locks;
                    answers.lock(lock);
                    execute(answers, site);
                    answers.unlock(lock);
                } else {
                    execute(answers, site);
                }
                answers.kernel(site.call("socket-send"))
                        .socketSend(response, RESPONSE_BYTES)
                        .returnToUser();
            }
            builder.addThread(server, "mysqld", answers.jump(0).build(), site.free(), instance);
        }
        if (writes) {
            builder.addThread(server, "mysqld", log.writer(site), site.free(), instance);
        }
    }

    /** From an eighth of the mean to fifteen eighths of it. */
    private static void execute(Program.Builder program, Site site) {
        int mean = site.cost("oltp", "statement").coreNs();
        program.burst(mean / 8, mean / 8 * 15).returnToUser();
    }

    /** The log: whoever commits asks for a write and waits for the end of one. */
    private record Log(int asked, int written, int lock, Cost futex) {
        void commit(Program.Builder program) {
            program.lock(lock)
                    .kernel(futex)
                    .post(asked, 1)
                    .conditionWait(written, lock)
                    .unlock(lock)
                    .returnToUser();
        }

        Program writer(Site site) {
            return new Program.Builder()
                    .waitFor(asked)
                    .kernel(site.call("sleep"))
                    .sleepFor(site.cost("oltp", "log-write").wallNs())
                    .lock(lock)
                    .kernel(futex)
                    .signal(written, Integer.MAX_VALUE)
                    .unlock(lock)
                    .returnToUser()
                    .jump(0)
                    .build();
        }
    }
}
