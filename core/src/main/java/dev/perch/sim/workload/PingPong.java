package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.model.CpuMask;
import dev.perch.sim.workload.WorkloadKind.Measure;
import java.util.List;

/**
 * Two tasks that send each other one message in turn: netperf's request/response test over TCP loopback, and {@code perf bench sched pipe}
 * (spec scheduler.md 9.2, 9.5).
 *
 * <p>The wakeup happens inside the sender's send call, with the receive path of the loopback device already behind it; what is left of the
 * call, the return to user mode and the next receive call until it blocks are the sender's tail, which runs beside the receiver if that
 * one is on another CPU.
 *
 * @param names command names of the two tasks; the first one begins and counts
 */
record PingPong(WorkloadKind kind, List<String> names) implements Recipe {
    static final PingPong TCP_RR = new PingPong(
            new WorkloadKind(
                    "tcp-rr",
                    "two processes that send each other one message in turn over a TCP loopback connection",
                    "netperf TCP_RR, as run on linux-kernel in November 2011 and May 2012",
                    Measure.RATE,
                    "transactions/s",
                    List.of(
                            "pin=A/B bind the client to CPU A and the server to CPU B",
                            "size=BYTES payload of a message (1)")),
            List.of("netperf", "netserver"));

    static final PingPong PIPE = new PingPong(
            new WorkloadKind(
                    "pipe",
                    "two processes that send each other four bytes in turn over two pipes",
                    "perf bench sched pipe, as run on linux-kernel in February 2013",
                    Measure.TIME_PER_OPERATION,
                    "us/op",
                    List.of("pin=A/B bind the parent to CPU A and the child to CPU B")),
            List.of("sched-pipe", "sched-pipe"));

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        Cost message = site.cost(kind.name(), "message");
        Cost crossing = site.cost(kind.name(), "crossing");
        int size = options.number("size", 1, 65_535);
        if (size > 1) {
            message = message.plus(Site.scaled(site.cost(kind.name(), "kib"), size - 1));
            crossing = new Cost(crossing.coreNs(), crossing.wallNs(), crossing.lines() + (size - 1) / 64);
        }
        Cost tail = site.cost(kind.name(), "tail");
        // half of the tail is the rest of the send call, half the way into the next receive call
        Cost callTail = new Cost(tail.coreNs() / 2, tail.wallNs() / 2, 0);
        Cost userTail = new Cost(tail.coreNs() - callTail.coreNs(), tail.wallNs() - callTail.wallNs(), 0);
        int request = builder.addChannel();
        int response = builder.addChannel();
        int instance = builder.addInstance(kind);
        CpuMask[] ends = options.pins(site, 2);
        builder.addTask(
                names.get(0),
                new Program.Builder()
                        .kernel(message)
                        .send(request)
                        .kernel(callTail)
                        .returnToUser()
                        .kernel(userTail)
                        .receive(response, crossing)
                        .count()
                        .jump(0)
                        .build(),
                ends[0],
                instance);
        builder.addTask(
                names.get(1),
                new Program.Builder()
                        .receive(request, crossing)
                        .kernel(message)
                        .send(response)
                        .kernel(callTail)
                        .returnToUser()
                        .kernel(userTail)
                        .jump(0)
                        .build(),
                ends[1],
                instance);
    }
}
