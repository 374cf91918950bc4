/** The charts of reports: each from its data to a drawing, a sentence and a table of the same data. */
@NullMarked
package dev.perch.report.chart;

import org.jspecify.annotations.NullMarked;
