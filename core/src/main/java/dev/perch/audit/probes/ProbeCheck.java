package dev.perch.audit.probes;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.Placement;
import dev.perch.kernel.placement.PlacementListener;
import dev.perch.kernel.placement.PlacementRules;
import dev.perch.kernel.placement.StepRecorder;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.ProbedDecision;
import dev.perch.model.ProbedDecisions;
import dev.perch.model.TaskNames;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives placement rules the view that a real kernel had, decision by decision, and counts how often they answer as it did.
 *
 * <p>Rules and kernel may differ because the snapshot was taken while other CPUs ran: such a difference is a race if the kernel's own idle
 * tests, which the probes print too, show a CPU in another state than the snapshot. A changed idle-core hint alone is none.
 *
 * <p>{@code wake_affine} by load agrees only if a capacity of 1 to 1024 explains both sides of the recorded comparison and the rules then choose as
 * the kernel did; no such capacity is an input that is missing, a recorded choice against its own comparison a disagreement. So is an input missing where
 * only another queue length of the waker's CPU than the snapshot's explains a sync wakeup. Source: placement.md 4.4, 4.5, 7.3, 7.5, 8.5.
 */
public final class ProbeCheck implements ProbedDecisions {
    private static final int FIRST = 10;
    private static final int QUESTIONS = Question.values().length;
    private static final int OUTCOMES = Outcome.values().length;

    private final PlacementRules rules;
    private final AffineTerms terms;
    private final CpuView view;
    private final ProbedView shown;
    private final MachineFit fit;
    private final ChoiceListener choice = new ChoiceListener();
    private final long[][] counts = new long[QUESTIONS][OUTCOMES];
    private final List<ProbeResult.Difference> first = new ArrayList<>();
    private String file = "";

    /**
     * @param kernel whose rules to ask
     * @param machine the recorded one
     * @param partitions CPUs of exclusive cpusets; one, all CPUs, if there is none
     * @param names what the wakers are called, filled while the decisions come
     * @throws InputException if the kernel's placement rules are not modelled
     */
    public ProbeCheck(Kernel kernel, Machine machine, List<CpuMask> partitions, TaskNames names) {
        Topology topology = machine.topology();
        SchedDomains domains = SchedDomains.build(
                topology, partitions, DomainRules.named(kernel.rules().schedDomains()));
        rules = Placement.rules(kernel, topology, domains);
        terms = new AffineTerms(kernel, domains);
        view = Placement.view(kernel, domains);
        fit = new MachineFit(domains, machine.name());
        shown = new ProbedView(view, domains, topology, names);
    }

    /** The decisions from now on are of this recording; for the differences and messages. */
    public void begin(String recording) {
        file = recording;
    }

    /** What has been found so far. */
    public ProbeResult result() {
        return new ProbeResult(ProbeResult.tallies(counts), List.copyOf(first));
    }

    /** @throws InputException if the decision cannot be one of the machine */
    @Override
    public void decided(ProbedDecision decision) {
        if (!decision.isWakeup()) {
            count(Question.SLOW_PATH, Outcome.INPUT_MISSING);
            return;
        }
        fit.require(decision, file);
        if (decision.hasSnapshot() && shown.knowsAffinity(decision)) {
            wakeup(decision);
        } else {
            nothingKnown(decision);
        }
    }

    /** Some probe of the view was not hit. */
    private void nothingKnown(ProbedDecision decision) {
        if (decision.hasWakeWide) {
            count(Question.WAKE_WIDE, Outcome.INPUT_MISSING);
        }
        if (decision.hasWantAffine) {
            count(Question.WANT_AFFINE, Outcome.INPUT_MISSING);
        }
        if (decision.hasWakeAffine) {
            count(Question.WAKE_AFFINE, Outcome.INPUT_MISSING);
        }
        count(Question.IDLE_SEARCH, Outcome.INPUT_MISSING);
        count(Question.PLACEMENT, Outcome.INPUT_MISSING);
    }

    private void wakeup(ProbedDecision decision) {
        choice.clear();
        place(decision, choice);
        boolean pullable = shown.request().allowed.contains(decision.thisCpu);
        int wantAffine = decision.wantAffine ? 1 : 0;
        if (decision.hasWakeWide && decision.hasWantAffine) {
            if (pullable) {
                settle(decision, Question.WAKE_WIDE, 1 - wantAffine, choice.wakeWide, Outcome.DISAGREE);
            }
            settle(decision, Question.WANT_AFFINE, wantAffine, choice.wantAffine, Outcome.DISAGREE);
        }
        Outcome affine = Outcome.AGREE;
        if (decision.hasWakeAffine) {
            affine = wakeAffine(decision);
        }
        Outcome difference = testsContradict(decision, 0) ? Outcome.RACE : Outcome.DISAGREE;
        boolean known = affine != Outcome.INPUT_MISSING && shown.knowsShared(decision, decision.target);
        settle(
                decision,
                Question.PLACEMENT,
                decision.chosenCpu,
                choice.chosen,
                known ? difference : Outcome.INPUT_MISSING);
        idleSearch(decision);
    }

    private Outcome wakeAffine(ProbedDecision decision) {
        boolean pulled = decision.wakeAffine == decision.thisCpu;
        int kernel = pulled ? decision.thisCpu : decision.prevCpu;
        int answer = affineAnswer(decision);
        if (decision.hasEffectiveLoads) {
            if (pulled != decision.thisEffective < decision.prevEffective) {
                return differ(decision, Question.WAKE_AFFINE, kernel, answer, Outcome.DISAGREE);
            }
            if (!decision.hasWakeeLoad
                    || terms.prevCapacity(decision) == AffineTerms.UNEXPLAINED
                    || terms.thisCapacity(decision) == AffineTerms.UNEXPLAINED) {
                return count(Question.WAKE_AFFINE, Outcome.INPUT_MISSING);
            }
            if (choice.comparedLoads && !sameSides(decision)) {
                return differ(decision, Question.WAKE_AFFINE, kernel, answer, Outcome.DISAGREE);
            }
        } else if (decision.hasWakeeLoad) {
            return count(Question.WAKE_AFFINE, Outcome.INPUT_MISSING);
        }
        if (answer == kernel) {
            return count(Question.WAKE_AFFINE, Outcome.AGREE);
        }
        if (testsContradict(decision, 0)) {
            return count(Question.WAKE_AFFINE, Outcome.RACE);
        }
        return queueLengthMatters(decision, kernel)
                ? count(Question.WAKE_AFFINE, Outcome.INPUT_MISSING)
                : differ(decision, Question.WAKE_AFFINE, kernel, answer, Outcome.DISAGREE);
    }

    /** The CPU that the rules' {@code wake_affine} answered, or that they did not come to it. */
    private int affineAnswer(ProbedDecision decision) {
        return choice.pulled == ChoiceListener.NOT_ASKED
                ? ChoiceListener.NOT_ASKED
                : choice.pulled == 1 ? decision.thisCpu : decision.prevCpu;
    }

    /**
     * Whether the rules answer a sync wakeup as the kernel did if the waker was not alone on its CPU where the snapshot shows it alone, or the
     * other way round: the kernel looked before the snapshot was taken, and no probe prints what it found.
     */
    private boolean queueLengthMatters(ProbedDecision decision, int kernel) {
        if (!decision.sync) {
            return false;
        }
        int chosen = choice.chosen;
        shown.show(decision, terms);
        int alone = 1 + view.delayed[decision.thisCpu];
        view.nrRunning[decision.thisCpu] = decision.nrRunning[decision.thisCpu] == alone ? alone + 1 : alone;
        choice.clear();
        ask(choice);
        boolean explains = affineAnswer(decision) == kernel && (!choice.comparedLoads || sameSides(decision));
        choice.chosen = chosen;
        return explains;
    }

    /** Whether the rules compare the very numbers that the kernel compared. */
    private boolean sameSides(ProbedDecision decision) {
        return choice.thisSide == decision.thisEffective && choice.prevSide == decision.prevEffective;
    }

    private void idleSearch(ProbedDecision decision) {
        if (!shown.knowsShared(decision, decision.target)) {
            count(Question.IDLE_SEARCH, Outcome.INPUT_MISSING);
            return;
        }
        int answer = search(decision, PlacementListener.NONE);
        Outcome difference = testsContradict(decision, decision.testsBeforeSearch) ? Outcome.RACE : Outcome.DISAGREE;
        settle(decision, Question.IDLE_SEARCH, decision.chosenCpu, answer, difference);
    }

    private void place(ProbedDecision decision, PlacementListener listener) {
        shown.show(decision, terms);
        ask(listener);
    }

    private void ask(PlacementListener listener) {
        view.listenWith(listener);
        rules.select(shown.request(), view);
        view.listenWith(PlacementListener.NONE);
    }

    private int search(ProbedDecision decision, PlacementListener listener) {
        shown.show(decision, terms);
        view.listenWith(listener);
        int answer = rules.selectIdleSibling(shown.request(), decision.target, view);
        view.listenWith(PlacementListener.NONE);
        return answer;
    }

    /** Whether an idle test from {@code from} on shows a CPU in another state than the snapshot. */
    private static boolean testsContradict(ProbedDecision decision, int from) {
        for (int i = from; i < decision.testCount; i++) {
            if (decision.testedIdle[i] != decision.idle(decision.testedCpu[i])) {
                return true;
            }
        }
        return false;
    }

    /** Counts agreement, or else what a difference is. */
    private Outcome settle(ProbedDecision decision, Question question, int kernel, int answer, Outcome difference) {
        return kernel == answer
                ? count(question, Outcome.AGREE)
                : differ(decision, question, kernel, answer, difference);
    }

    private Outcome differ(ProbedDecision decision, Question question, int kernel, int answer, Outcome difference) {
        if (difference == Outcome.DISAGREE && first.size() < FIRST) {
            first.add(describe(decision, question, kernel, answer));
        }
        return count(question, difference);
    }

    private Outcome count(Question question, Outcome outcome) {
        counts[question.ordinal()][outcome.ordinal()]++;
        return outcome;
    }

    private ProbeResult.Difference describe(ProbedDecision decision, Question question, int kernel, int answer) {
        StepRecorder steps = new StepRecorder();
        if (question == Question.IDLE_SEARCH) {
            search(decision, steps);
        } else {
            place(decision, steps);
        }
        List<String> tests = new ArrayList<>();
        for (int i = 0; i < decision.testCount; i++) {
            int cpu = decision.testedCpu[i];
            String changed = decision.testedIdle[i] == decision.idle(cpu) ? "" : ", not so in the snapshot";
            tests.add(decision.testSite(i).text() + " (CPU " + cpu + "): " + (decision.testedIdle[i] ? "idle" : "busy")
                    + changed);
        }
        return new ProbeResult.Difference(
                question,
                file,
                decision.line,
                decision.ns,
                decision.current,
                decision.wakee,
                decision.thisCpu,
                decision.prevCpu,
                kernel,
                answer,
                List.copyOf(tests),
                List.copyOf(steps.lines()));
    }
}
