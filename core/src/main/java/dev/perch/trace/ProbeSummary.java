package dev.perch.trace;

/**
 * What was read of a kprobe recording.
 *
 * @param decisions how many were passed on
 * @param incomplete how many were not, because a line of them is missing or damaged or the recording begins or ends within them
 * @param defects what was wrong, by line
 */
public record ProbeSummary(long decisions, long incomplete, Defects defects) {}
