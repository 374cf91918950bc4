/** Experiments: repeats, calibration, tables, comparison with what was published. */
@NullMarked
package dev.perch.lab;

import org.jspecify.annotations.NullMarked;
