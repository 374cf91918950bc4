/** Runs that nobody would think of: machines, kernels, workloads and settings drawn by a seeded generator. */
@NullMarked
package dev.perch.sim.random;

import org.jspecify.annotations.NullMarked;
