/** Statistics of repeated measurements: descriptions, intervals, tests, effect sizes. Knows nothing of schedulers. */
@NullMarked
package dev.perch.lab.statistics;

import org.jspecify.annotations.NullMarked;
