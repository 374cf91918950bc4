package dev.perch.workloads;

import dev.perch.sim.workload.Step;
import dev.perch.workloads.JsonValue.Member;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The events of one task of an rt-app file as steps; they are read in the order in which they happen.
 *
 * <p>{@code run} is work: its µs are those at the machine's nominal clock, in whole loops of the calibration. {@code runtime} is time, in
 * pieces of 32 µs of work. {@code suspend} and {@code resume} are a condition and a mutex of the given name, or of the suspended task's.
 */
final class RtAppEvents {
    private static final int PIECE_US = 32;
    private static final int LEAST_PIECE_NS = 1000;
    private static final String UNNAMED = "unknown";

    private final RtAppGlobal global;
    private final RtAppNames names;
    private final String task;
    private final int instances;
    private final Set<String> held = new HashSet<>();

    RtAppEvents(RtAppGlobal global, RtAppNames names, String task, int instances) {
        this.global = global;
        this.names = names;
        this.task = task;
        this.instances = instances;
    }

    /** The steps of an event of {@code phase}, into {@code steps}. */
    void add(RtAppEvent event, Member member, RtAppObject phase, List<Step> steps) {
        switch (event) {
            case RUN -> steps.add(new Step.Compute(workNs(time(member, phase))));
            case RUNTIME ->
                steps.add(new Step.ComputeFor(
                        time(member, phase) * 1000L, (int) Math.max(LEAST_PIECE_NS, workNs(PIECE_US))));
            case SLEEP -> steps.add(new Step.Sleep(time(member, phase) * 1000L));
            case TIMER -> steps.add(timer(member, phase));
            case MEM -> steps.add(new Step.Memory(phase.integer(member, 0, Integer.MAX_VALUE)));
            case IORUN ->
                steps.add(new Step.SystemCalls(
                        Math.ceilDiv(phase.integer(member, 0, Integer.MAX_VALUE), global.bufferBytes())));
            case LOCK -> lock(phase.string(member), steps);
            case UNLOCK -> unlock(phase.string(member), steps);
            case WAIT -> {
                Condition condition = condition(member, phase);
                if (!held.contains(condition.mutex)) {
                    throw phase.error(
                            member.line(),
                            "'" + member.key() + "' of " + phase.what() + " waits without having locked mutex '"
                                    + condition.mutex + "'; write \"lock\" : \"" + condition.mutex + "\" before it");
                }
                steps.add(new Step.Wait(condition.name, condition.mutex));
            }
            case SYNC, SIG_AND_WAIT -> {
                Condition condition = condition(member, phase);
                boolean locks = !held.contains(condition.mutex);
                if (locks) {
                    steps.add(new Step.Lock(condition.mutex));
                }
                steps.add(new Step.Signal(condition.name, false));
                steps.add(new Step.Wait(condition.name, condition.mutex));
                if (locks) {
                    steps.add(new Step.Unlock(condition.mutex));
                }
            }
            case SIGNAL -> steps.add(new Step.Signal(phase.string(member), false));
            case BROAD -> steps.add(new Step.Signal(phase.string(member), true));
            case SUSPEND -> {
                String name = phase.stringOr(member, task);
                steps.add(new Step.Lock(name));
                steps.add(new Step.Wait(name, name));
                steps.add(new Step.Unlock(name));
            }
            case RESUME -> {
                String name = phase.string(member);
                steps.add(new Step.Lock(name));
                steps.add(new Step.Signal(name, true));
                steps.add(new Step.Unlock(name));
            }
            case BARRIER -> {
                String name = phase.string(member);
                names.barriers.merge(name, instances, Integer::sum);
                steps.add(new Step.Barrier(name));
            }
            case FORK -> steps.add(new Step.Fork(phase.string(member)));
            case YIELD -> steps.add(new Step.Yield());
            case SEM_POST -> steps.add(new Step.Post(phase.string(member), 1));
            case SEM_WAIT -> steps.add(new Step.Await(phase.string(member)));
            case MEMRUN ->
                throw phase.error(
                        member.line(),
                        "rt-app key '" + member.key() + "' of " + phase.what()
                                + " is not supported: caches are not modelled; write \"mem\" or \"run\"");
        }
    }

    private static int time(Member member, RtAppObject phase) {
        return phase.integer(member, 0, Integer.MAX_VALUE);
    }

    /** Nominal ns of a run event: each whole second and the rest are whole loops. */
    private long workNs(int us) {
        int loop = global.loopNs();
        if (loop == 0) {
            return us * 1000L;
        }
        long second = 1_000_000_000L / loop * loop;
        return us / 1_000_000 * second + us % 1_000_000 * 1000L / loop * loop;
    }

    private Step timer(Member member, RtAppObject phase) {
        RtAppObject timer = phase.within("'" + member.key() + "' of " + phase.what(), member.value());
        String name = timer.string("ref", UNNAMED);
        int period = timer.integer("period", 0, Integer.MAX_VALUE, 0);
        String mode = timer.string("mode", "relative");
        if (!mode.equals("relative") && !mode.equals("absolute")) {
            throw timer.error(
                    timer.lineOf("mode"),
                    "'mode' of " + timer.what() + " must be \"relative\" or \"absolute\", not '" + mode + "'");
        }
        timer.refuseOthers(false);
        return new Step.Timer(name, RtAppNames.isOwn(name), period * 1000L, names.isAbsolute(task, name));
    }

    /** A condition and the mutex that is free while somebody waits for it. */
    private record Condition(String name, String mutex) {}

    private static Condition condition(Member member, RtAppObject phase) {
        RtAppObject wait = phase.within("'" + member.key() + "' of " + phase.what(), member.value());
        Condition condition = new Condition(wait.string("ref", UNNAMED), wait.string("mutex", UNNAMED));
        wait.refuseOthers(false);
        return condition;
    }

    private void lock(String mutex, List<Step> steps) {
        held.add(mutex);
        steps.add(new Step.Lock(mutex));
    }

    private void unlock(String mutex, List<Step> steps) {
        held.remove(mutex);
        steps.add(new Step.Unlock(mutex));
    }
}
