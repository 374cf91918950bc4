package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.model.CpuMask;
import dev.perch.sim.workload.WorkloadKind.Measure;
import java.util.List;

/**
 * Two processes that send each other one message in turn over a connected pair of Unix-domain stream sockets: {@code perch bench socketpair}.
 *
 * <p>Its calls are those of hackbench over sockets ({@code socket-send}, {@code socket-receive}, {@code crossing}), in parts, since a wakeup
 * falls into the midst of each. A send call wakes whoever sleeps at the other end near its own end. A receive call looks for a message, sleeps
 * at its own end while there is none, copies and frees the message, which wakes whoever sleeps at the other end
 * ({@code unix_stream_read_generic}, {@code unix_write_space}), and goes back. So the sender of a message, asleep until its answer comes, is
 * woken in vain when the message is read (see {@code Sockets} of the package above).
 *
 * <p>The parts of a call are as they were timed on Linux 6.18 (a virtual machine, tracepoints at entry, {@code sched_waking},
 * {@code sched_wakeup} and exit): of a send call five sixths come before the wakeup, of a receive call that finds a message five eighths. Where
 * in these five the call looks for the message was not timed: assumed after two.
 *
 * <p>Limitations: what a program does between its calls takes no time. Nor does looking again after a wakeup in vain, apart from the wakeup, the
 * switches and the way into sleep.
 */
final class SocketPair implements Recipe {
    private static final WorkloadKind KIND = new WorkloadKind(
            "socketpair",
            "two processes that send each other four bytes in turn over a pair of Unix-domain stream sockets",
            "perch bench socketpair",
            Measure.TIME_PER_OPERATION,
            "us/op",
            List.of("pin=A/B bind the first process to CPU A and the second to CPU B"));

    private static final String NAME = "socketpair";

    /** Bytes of a message. */
    private static final int MESSAGE = 4;

    @Override
    public WorkloadKind kind() {
        return KIND;
    }

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        Calls calls = new Calls(site.call("socket-send"), site.call("socket-receive"), site.call("crossing"));
        int end = builder.addSocketPair();
        int peer = Workload.peer(end);
        int instance = builder.addInstance(KIND);
        CpuMask[] pins = options.pins(site, 2);
        Program.Builder first = new Program.Builder();
        calls.send(first, end);
        calls.receive(first, end);
        builder.addTask(NAME, first.count().jump(0).build(), pins[0], instance);
        Program.Builder second = new Program.Builder();
        calls.receive(second, peer);
        calls.send(second, peer);
        builder.addTask(NAME, second.jump(0).build(), pins[1], instance);
    }

    /** What the two calls cost, and what a message from another CPU costs more. */
    private record Calls(Cost send, Cost receive, Cost crossing) {
        void send(Program.Builder program, int end) {
            program.kernel(part(send, 0, 5, 6))
                    .socketSend(end, MESSAGE)
                    .kernel(part(send, 5, 6, 6))
                    .returnToUser();
        }

        void receive(Program.Builder program, int end) {
            program.kernel(part(receive, 0, 2, 8))
                    .socketAwait(end, crossing)
                    .kernel(part(receive, 2, 5, 8))
                    .socketReceive(end, MESSAGE, Cost.NONE)
                    .kernel(part(receive, 5, 8, 8))
                    .returnToUser();
        }

        /** From the {@code from}th to the {@code to}th of {@code parts} equal parts of a cost; what is adjacent adds up to the whole. */
        private static Cost part(Cost cost, int from, int to, int parts) {
            return new Cost(
                    part(cost.coreNs(), from, to, parts),
                    part(cost.wallNs(), from, to, parts),
                    part(cost.lines(), from, to, parts));
        }

        private static int part(int whole, int from, int to, int parts) {
            return (int) ((long) whole * to / parts - (long) whole * from / parts);
        }
    }
}
