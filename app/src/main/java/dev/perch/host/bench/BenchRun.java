package dev.perch.host.bench;

import dev.perch.host.HostSystem;
import dev.perch.host.Noise;
import dev.perch.host.linux.CpuTime;
import dev.perch.host.linux.TaskUse;
import dev.perch.host.linux.ThisThread;
import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Measures a plan on the host, one repeat after the other. Whatever happens, the processes that it started are gone
 * afterwards, and nobody is pinned who was not before.
 */
public final class BenchRun {
    private final BenchPlan plan;
    private final HostSystem host;
    private volatile boolean stopped;

    public BenchRun(BenchPlan plan, HostSystem host) {
        this.plan = plan;
        this.host = host;
    }

    /** Asks a run to end soon, from another thread; it then gives the repeats that are finished. */
    public void stop() {
        stopped = true;
    }

    /**
     * Measures.
     *
     * @param progress told how many repeats are finished
     */
    public BenchResult run(LongConsumer progress) throws InterruptedException {
        List<BenchRow> rows = new ArrayList<>();
        long finished = 0;
        for (Placement placement : plan.placements()) {
            List<BenchRow.Repeat> repeats = new ArrayList<>();
            try {
                if (plan.isMessaging() && rows.isEmpty()) {
                    messaging(placement);
                }
                while (repeats.size() < plan.repeats() && !stopped) {
                    repeats.add(repeat(placement));
                    progress.accept(++finished);
                }
            } catch (RuntimeException e) {
                // whatever fails because it is to end
                if (!stopped) {
                    throw e;
                }
            }
            if (!repeats.isEmpty()) {
                rows.add(new BenchRow(placement, repeats));
            }
            if (stopped) {
                break;
            }
        }
        return new BenchResult(plan, host, rows);
    }

    private BenchRow.Repeat repeat(Placement placement) throws InterruptedException {
        CpuMask cpus = placement.isFree() ? host.cpus() : placement.first().or(placement.second());
        long own = ownNs();
        CpuTime before = CpuTime.now(cpus);
        Optional<LinkKind> link = plan.benchmark().link();
        if (link.isPresent()) {
            PingPong.Run run = pingPong(link.get(), placement);
            double value = plan.benchmark() == Benchmark.TCP_RR ? run.roundsASecond() : run.microsecondsARound();
            return repeat(value, run.rounds(), run.use(), Noise.between(before, CpuTime.now(cpus), ownNs() - own));
        }
        Messaging.Run run = messaging(placement);
        long messages = (long) plan.groups() * Messaging.FAN * Messaging.FAN * plan.loops();
        return repeat(run.ns() / 1e9, messages, run.use(), Noise.between(before, CpuTime.now(cpus), ownNs() - own));
    }

    private static BenchRow.Repeat repeat(double value, long operations, TaskUse use, Optional<Noise> noise) {
        return new BenchRow.Repeat(
                value, operations, use.voluntarySwitches(), use.involuntarySwitches(), use.migrations(), noise);
    }

    private PingPong.Run pingPong(LinkKind link, Placement placement) throws InterruptedException {
        PingPong.Spec spec =
                new PingPong.Spec(link, placement.first(), placement.second(), plan.warmupNs(), plan.durationNs());
        return plan.threads()
                ? new PingPong(spec, () -> stopped).betweenThreads()
                : new ProcessPair(spec, () -> stopped).run();
    }

    private Messaging.Run messaging(Placement placement) throws InterruptedException {
        Messaging.Spec spec =
                new Messaging.Spec(plan.groups(), plan.loops(), plan.pipes(), placement.first(), placement.second());
        return plan.threads() ? new Messaging(spec, () -> stopped).run() : new ProcessGroups(spec, () -> stopped).run();
    }

    /** CPU time of this process, and of the benchmark's that have ended. */
    private static long ownNs() {
        return ThisThread.processCpuNs() + ThisThread.endedChildrenCpuNs();
    }
}
