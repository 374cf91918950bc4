package dev.perch.audit.probes;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a check found.
 *
 * @param tallies a row for every question
 * @param first the first differences that are no race, in the order read
 */
public record ProbeResult(Map<Question, Tally> tallies, List<Difference> first) {
    /** How often a question had each outcome; the outcomes sum up to {@code decisions}. */
    public record Tally(long decisions, long agree, long race, long inputMissing, long disagree) {}

    /**
     * One decision on which rules and kernel differ.
     *
     * @param file the recording
     * @param line line of the decision's first probe in it, from 1
     * @param ns its time
     * @param kernel the kernel's answer: a CPU, or 0 and 1 for no and yes
     * @param rules the rules' answer
     * @param tests the kernel's idle tests in their order
     * @param steps how the rules come to their answer
     */
    public record Difference(
            Question question,
            String file,
            long line,
            long ns,
            int waker,
            int wakee,
            int thisCpu,
            int prevCpu,
            int kernel,
            int rules,
            List<String> tests,
            List<String> steps) {}

    /** The row of a question. */
    public Tally tally(Question question) {
        return Objects.requireNonNull(tallies.get(question), question.key());
    }

    static Map<Question, Tally> tallies(long[][] counts) {
        Map<Question, Tally> tallies = new EnumMap<>(Question.class);
        for (Question question : Question.values()) {
            long[] of = counts[question.ordinal()];
            long agree = of[Outcome.AGREE.ordinal()];
            long race = of[Outcome.RACE.ordinal()];
            long missing = of[Outcome.INPUT_MISSING.ordinal()];
            long disagree = of[Outcome.DISAGREE.ordinal()];
            tallies.put(question, new Tally(agree + race + missing + disagree, agree, race, missing, disagree));
        }
        return tallies;
    }
}
