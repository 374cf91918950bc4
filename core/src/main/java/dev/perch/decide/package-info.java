/** The placement engine by hand: one decision over a state of CPUs that somebody says, and tables of such decisions. */
@NullMarked
package dev.perch.decide;

import org.jspecify.annotations.NullMarked;
