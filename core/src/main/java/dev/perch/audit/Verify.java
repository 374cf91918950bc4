package dev.perch.audit;

import dev.perch.kernel.Kernel;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How often the rules of an era choose as the recorded kernel did.
 *
 * <p>When exactly the kernel chose is in no recording: it was between the waking record (or the wakee's leaving its CPU) and the first sign of the
 * choice. A decision agrees if the rules choose the recorded CPU at either end of that time.
 *
 * <p>A decision is a wakeup of a fair task for which the kernel had to choose. It agrees, disagrees, or cannot be told because the recording
 * lacks an input that matters. Where the rules choose otherwise without the sync hint than with it, and the recorded choice is one of the two,
 * {@link HintEvidence} says whether the hint is known; where another value of an input that is only estimated gives the recorded choice, that
 * input is missing; where the rules choose a CPU on which the wakee was never seen and its affinity is not known, the affinity is.
 */
public final class Verify implements WakeupConsumer {
    private static final int FIRST = 10;

    private final Audit audit;
    private final AuditTasks tasks;
    private final boolean simulated;
    private long decisions;
    private long agree;
    private long disagree;
    private final Map<MissingInput, Long> unknown = new EnumMap<>(MissingInput.class);
    private final List<Disagreement> first = new ArrayList<>();
    /** Mismatches that an unknown affinity may explain, by wakee and rules' choice; settled when all is seen. */
    private final Map<Long, List<Disagreement>> undecided = new HashMap<>();

    private final HintEvidence hints = new HintEvidence();

    private final Map<Long, Long> undecidedCount = new HashMap<>();

    /**
     * A decision on which rules and recording differ.
     *
     * @param expectedCpu what the rules choose
     * @param steps how they come to that
     */
    public record Disagreement(
            long number,
            long ns,
            int waker,
            int wakee,
            int thisCpu,
            int prevCpu,
            int chosenCpu,
            int expectedCpu,
            List<String> steps) {}

    /**
     * What was found; {@code decisions = agree + disagree + unknown}.
     *
     * @param byInput the unknown ones by the first input that the recording lacks
     */
    public record Result(
            long decisions,
            long agree,
            long disagree,
            long unknown,
            Map<MissingInput, Long> byInput,
            List<Disagreement> first) {}

    /**
     * @param audit has a topology and has not had an event yet
     * @param partitions CPUs of exclusive cpusets; empty for none
     * @param simulated whether a simulation wrote the recording: then every wakeup from task context gives the sync hint, and every
     *     interrupt is recorded
     * @throws InputException without a topology
     */
    public Verify(
            Audit audit, Kernel kernel, @Nullable Topology topology, List<CpuMask> partitions, boolean simulated) {
        if (topology == null) {
            throw new InputException(
                    "the recording does not say which CPUs share caches; name the machine with --machine");
        }
        this.audit = audit;
        this.simulated = simulated;
        tasks = audit.tasks();
        audit.listenWith(new EraRules(
                audit, kernel, topology, partitions.isEmpty() ? List.of(topology.cpus()) : partitions, simulated));
        audit.addConsumer(this);
    }

    @Override
    public void wakeup(Wakeup wakeup) {
        if (wakeup.verdict == Verdict.NOT_PLACED) {
            return;
        }
        RuleWalk walk = wakeup.walk;
        if (walk == null || wakeup.wakeeWas != Wakeup.WAS_ASLEEP || wakeup.prio >= 0 && wakeup.prio < 100) {
            return;
        }
        decisions++;
        MissingInput missing = missing(wakeup, walk);
        if (missing != MissingInput.NONE) {
            unknown.merge(missing, 1L, Long::sum);
            return;
        }
        boolean with = walk.chooses(wakeup.chosenCpu, true);
        boolean without = hintIsKnown(wakeup) ? with : walk.chooses(wakeup.chosenCpu, false);
        if (with && without) {
            agree++;
        } else if (with || without) {
            int entry = hints.add(wakeup, walk.uninterruptible, with, walk.doubtful);
            if (walk.doubtful == MissingInput.NONE && hints.wantsExample(entry, with)) {
                hints.example(entry, with, disagreement(wakeup, walk, with ? walk.choiceNotSync : walk.choiceSync));
            }
        } else if (wakeup.affinityAssumed) {
            mayBeAffinity(wakeup, walk, walk.choiceSync);
        } else {
            disagrees(disagreement(wakeup, walk, walk.choiceSync));
        }
    }

    /** Whether it is known that the wakeup gave the sync hint. */
    private boolean hintIsKnown(Wakeup wakeup) {
        return simulated && !wakeup.fromInterrupt();
    }

    private MissingInput missing(Wakeup wakeup, RuleWalk walk) {
        if (wakeup.chosenCpu < 0) {
            return MissingInput.CHOSEN_CPU;
        }
        if (!walk.asked) {
            return MissingInput.MOMENT;
        }
        if (walk.missing != MissingInput.NONE && walk.missing != MissingInput.CPU_STATE) {
            return walk.missing;
        }
        boolean withHint = walk.chooses(wakeup.chosenCpu, true);
        boolean without = hintIsKnown(wakeup) ? withHint : walk.chooses(wakeup.chosenCpu, false);
        if (!withHint && !without) {
            if (walk.missing == MissingInput.CPU_STATE) {
                return MissingInput.CPU_STATE;
            }
            if (walk.wakeListInDoubt) {
                return MissingInput.WAKE_LIST;
            }
            return walk.dependsOnMoment() ? MissingInput.MOMENT : walk.doubtful;
        }
        return MissingInput.NONE;
    }

    private void mayBeAffinity(Wakeup wakeup, RuleWalk walk, int expected) {
        long key = (long) wakeup.wakeeSlot << 32 | expected;
        undecidedCount.merge(key, 1L, Long::sum);
        List<Disagreement> some = undecided.computeIfAbsent(key, k -> new ArrayList<>());
        if (some.size() < FIRST) {
            some.add(disagreement(wakeup, walk, expected));
        }
    }

    private static Disagreement disagreement(Wakeup wakeup, RuleWalk walk, int expected) {
        return new Disagreement(
                wakeup.number,
                wakeup.ns,
                wakeup.wakerPid,
                wakeup.wakeePid,
                wakeup.thisCpu,
                wakeup.prevCpu,
                wakeup.chosenCpu,
                expected,
                walk.lines());
    }

    private void disagrees(Disagreement disagreement) {
        disagree++;
        if (first.size() < FIRST) {
            first.add(disagreement);
        }
    }

    /** The recording is over. */
    public Result finish() {
        audit.finish();
        List<Disagreement> late = new ArrayList<>();
        for (Map.Entry<Long, Long> entry : undecidedCount.entrySet()) {
            int slot = (int) (entry.getKey() >> 32);
            int expected = entry.getKey().intValue();
            if (tasks.seenOn[slot].contains(expected)) {
                disagree += entry.getValue();
                late.addAll(undecided.getOrDefault(entry.getKey(), List.of()));
            } else {
                unknown.merge(MissingInput.AFFINITY, entry.getValue(), Long::sum);
            }
        }
        HintEvidence.Outcome byHint = hints.finish(tasks);
        agree += byHint.agree();
        disagree += byHint.disagree();
        byHint.unknown().forEach((input, count) -> unknown.merge(input, count, Long::sum));
        late.addAll(byHint.examples().values());
        late.addAll(first);
        late.sort(Comparator.comparingLong(Disagreement::number));
        long notKnown = unknown.values().stream().mapToLong(Long::longValue).sum();
        return new Result(
                decisions,
                agree,
                disagree,
                notKnown,
                Collections.unmodifiableMap(new EnumMap<>(unknown)),
                List.copyOf(late.subList(0, Math.min(FIRST, late.size()))));
    }
}
