package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.sim.workload.WorkloadKind.Measure;
import java.util.ArrayList;
import java.util.List;

/**
 * Groups of senders and receivers, each sender writing to each receiver of its group: hackbench, and {@code perf bench sched messaging} which
 * came from it (spec scheduler.md 9.4).
 *
 * <p>A parent forks all of them. Each reports that it is ready with a byte through a pipe and polls another pipe; when all have, the parent
 * writes a byte there, and the time runs until the last child has ended. A long run can be told from a short one: the time is then stated
 * for as many loops as {@code stated} says. That leaves out nothing but the ends, which are equal, and what only a long run gets into.
 *
 * @param channels what the messages go through, the default first
 * @param command command name of all tasks
 */
record Hackbench(WorkloadKind kind, List<String> channels, String command) implements Recipe {
    /** Bytes of a message. */
    static final int MESSAGE = 100;

    /** The lines of a message that comes from another CPU. */
    private static final Cost PAYLOAD = new Cost(0, 0, 1 + (MESSAGE - 1) / 64);

    private static final String PIPE = "pipe";
    private static final String SOCKET = "socket";
    private static final String PROCESS = "process";

    static final Hackbench HACKBENCH = new Hackbench(
            kind(
                    "hackbench",
                    "groups of 20 senders and 20 receivers, each sender writing to each receiver of its group",
                    "hackbench, as mmtests ran it for linux-kernel in November 2021",
                    "channel=pipe|socket what messages go through (pipe)"),
            List.of(PIPE, SOCKET),
            "hackbench");

    static final Hackbench MESSAGING = new Hackbench(
            kind(
                    "messaging",
                    "the same with the defaults of perf bench: 10 groups over sockets",
                    "perf bench sched messaging",
                    "channel=socket|pipe what messages go through (socket)"),
            List.of(SOCKET, PIPE),
            "sched-messaging");

    private static WorkloadKind kind(String name, String title, String source, String channel) {
        return new WorkloadKind(
                name,
                title,
                source,
                Measure.ELAPSED,
                "s",
                List.of(
                        "groups=N groups (10)",
                        "fan=N senders, and receivers, of a group (20)",
                        "loops=N messages from each sender to each receiver (100)",
                        "stated=N loops that the time is stated for, in proportion (as many as LOOPS)",
                        "tasks=process|threads what the children are (process)",
                        channel));
    }

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        int groups = options.number("groups", 10, 256);
        int fan = options.number("fan", 20, 64);
        int loops = options.number("loops", 100, 1_000_000);
        boolean threads = !options.choice("tasks", List.of(PROCESS, "threads")).equals(PROCESS);
        boolean pipes = options.choice("channel", channels).equals(PIPE);
        int stated = options.number("stated", loops, 1_000_000);
        int instance = builder.addInstance(kind, (double) stated / loops);
        int process = builder.addProcess();
        Channel through = pipes
                ? new Channel(
                        true,
                        site.call("pipe-write"),
                        site.call("pipe-read"),
                        site.call("pipe-mutex").coreNs(),
                        site.call("crossing"))
                : new Channel(false, site.call("socket-send"), site.call("socket-receive"), 0, site.call("crossing"));
        Start start = new Start(builder.addPipe(), builder.addPipe(), site.call("pipe-write"), site.call("pipe-read"));
        Cost exit = site.call(threads ? "exit-thread" : "exit-process");
        List<Integer> children = new ArrayList<>();
        for (int group = 0; group < groups; group++) {
            int[] ends = new int[fan];
            for (int i = 0; i < fan; i++) {
                ends[i] = pipes ? builder.addPipe() : builder.addSocketPair();
                Program receiver = receiver(through, start, ends[i], fan * loops, exit);
                int own = threads ? process : builder.addProcess();
                children.add(builder.addChild(own, command, receiver, site.free(), instance));
            }
            Program sender = sender(through, start, ends, loops, exit);
            for (int i = 0; i < fan; i++) {
                int own = threads ? process : builder.addProcess();
                children.add(builder.addChild(own, command, sender, site.free(), instance));
            }
        }
        Program parent = parent(start, children, site.call(threads ? "fork-thread" : "fork-process"));
        builder.addThread(process, command, parent, site.free(), instance);
    }

    /** How messages go: through pipes or sockets, and what the two calls cost; {@code locked}: ns of each in which it has the pipe's mutex. */
    private record Channel(boolean pipe, Cost send, Cost receive, int locked, Cost crossing) {
        void send(Program.Builder program, int end) {
            if (pipe) {
                program.pipeLock(end, locked, crossing).kernel(send).pipeWrite(end, MESSAGE);
            } else {
                program.kernel(send).socketSend(end, MESSAGE);
            }
            program.returnToUser();
        }

        void receive(Program.Builder program, int end) {
            if (pipe) {
                program.pipeRead(end, MESSAGE, PAYLOAD).pipeLock(end, locked, crossing);
            } else {
                program.socketReceive(Workload.peer(end), MESSAGE, crossing);
            }
            program.kernel(receive).returnToUser();
        }
    }

    /** The pipes of the start. */
    private record Start(int ready, int go, Cost write, Cost read) {
        Program.Builder await() {
            return new Program.Builder()
                    .kernel(write)
                    .pipeWrite(ready, 1)
                    .returnToUser()
                    .pipePoll(go)
                    .kernel(read)
                    .returnToUser();
        }
    }

    private static Program receiver(Channel through, Start start, int end, int messages, Cost exit) {
        Program.Builder program = start.await();
        int again = program.here();
        through.receive(program, end);
        return program.count().repeat(0, again, messages).kernel(exit).exit().build();
    }

    private static Program sender(Channel through, Start start, int[] ends, int loops, Cost exit) {
        Program.Builder program = start.await();
        int again = program.here();
        for (int end : ends) {
            through.send(program, end);
        }
        return program.repeat(0, again, loops).kernel(exit).exit().build();
    }

    private static Program parent(Start start, List<Integer> children, Cost fork) {
        Program.Builder program = new Program.Builder();
        for (int child : children) {
            program.kernel(fork).fork(child).returnToUser();
        }
        int again = program.here();
        return program.pipeRead(start.ready(), 1, Cost.NONE)
                .kernel(start.read())
                .returnToUser()
                .repeat(0, again, children.size())
                .begin()
                .kernel(start.write())
                .pipeWrite(start.go(), 1)
                .returnToUser()
                .join()
                .end()
                .exit()
                .build();
    }
}
