package dev.perch.host.bench;

import java.util.List;

/**
 * What to measure on the host.
 *
 * @param threads whether the tasks are threads of this process, else processes of their own
 * @param placements a row each, one or more
 * @param repeats of each row
 * @param warmupNs before each repeat; messaging has one unmeasured run instead
 * @param durationNs of each repeat; messaging ends by itself
 * @param groups of messaging
 * @param loops of messaging: messages from each sender to each receiver
 * @param pipes whether messaging goes through pipes, else through sockets
 */
public record BenchPlan(
        Benchmark benchmark,
        boolean threads,
        List<Placement> placements,
        int repeats,
        long warmupNs,
        long durationNs,
        int groups,
        int loops,
        boolean pipes) {
    /** What perf bench sched messaging has if nobody says otherwise. */
    public static final int DEFAULT_GROUPS = 10;

    public static final int DEFAULT_LOOPS = 100;

    public BenchPlan {
        placements = List.copyOf(placements);
    }

    public boolean isMessaging() {
        return benchmark == Benchmark.MESSAGING;
    }

    /** What runs, as a simulated workload of the same kind is written: {@code pipe:pin=0/1}. */
    public String workload(Placement placement) {
        StringBuilder text = new StringBuilder(benchmark.workload());
        if (isMessaging()) {
            text.append(":groups=").append(groups);
            if (loops != DEFAULT_LOOPS) {
                text.append(",loops=").append(loops);
            }
            text.append(threads ? ",tasks=threads" : "").append(pipes ? ",channel=pipe" : "");
        }
        if (!placement.isFree()) {
            text.append(isMessaging() ? "," : ":").append("pin=").append(placement.text());
        }
        return text.toString();
    }

    /** What a simulated workload does not tell apart: {@code threads} for two ends in one process, else empty. */
    public String setting() {
        return threads && !isMessaging() ? "threads" : "";
    }
}
