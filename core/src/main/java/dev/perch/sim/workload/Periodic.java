package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.model.CpuMask;
import dev.perch.sim.workload.WorkloadKind.Measure;
import java.util.List;

/**
 * A task that computes for a while in each period of a timer. An activation that comes while it still computes is not made up for.
 *
 * <p>Limitations: the timer has no slack.
 */
final class Periodic implements Recipe {
    private static final WorkloadKind KIND = new WorkloadKind(
            "periodic",
            "a task that computes for a while in each period of a timer",
            "the periodic tasks of rt-app and cyclictest",
            Measure.PERCENTILE,
            "us (p99 wakeup latency)",
            List.of(
                    "period=US microseconds from one activation to the next (10000)",
                    "run=US microseconds of work at the nominal clock (1000)",
                    "pin=A bind it to CPU A"));

    @Override
    public WorkloadKind kind() {
        return KIND;
    }

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        int period = options.number("period", 10_000, 2_000_000);
        int run = options.number("run", 1_000, 2_000_000);
        CpuMask allowed = options.pins(site, 1)[0];
        int instance = builder.addInstance(KIND);
        int latency = builder.addSeries(instance, "wakeup latency");
        Program program = new Program.Builder()
                .kernel(site.call("sleep"))
                .sleepUntil(builder.addTimer(), period * 1000)
                .measure(latency)
                .returnToUser()
                .user(Cost.core(run * 1000))
                .count()
                .jump(0)
                .build();
        builder.addTask("periodic", program, allowed, instance);
    }
}
