package dev.perch.report.chart;

import dev.perch.lab.results.Contrast;
import dev.perch.lab.results.Metric;

/**
 * One series beside its baseline, for pictures.
 *
 * @param label what was measured
 * @param baseline what the baseline is called
 * @param other what is compared with it
 */
public record RatioRow(String label, Metric metric, String baseline, String other, Contrast contrast) {}
