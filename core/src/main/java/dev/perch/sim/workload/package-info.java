/** Workloads: what the tasks of a run do, and how an expression of names and options becomes tasks. */
@NullMarked
package dev.perch.sim.workload;

import org.jspecify.annotations.NullMarked;
