package dev.perch.report.observe;

import dev.perch.audit.AuditResult;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of one stream of events, a simulated run's or a recording's.
 *
 * @param audit totals, latencies, pairs, verdicts
 * @param timeline a representative millisecond; null if there was no wakeup
 */
public record Observation(
        AuditResult audit, WakeMatrix matrix, @Nullable Timeline timeline) {}
