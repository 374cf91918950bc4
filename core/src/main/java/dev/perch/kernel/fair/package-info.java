/**
 * Runqueues as state machines, one a CPU: the fair scheduling class under CFS (2.6.39 to 6.5) and EEVDF (6.6 to 6.18), with task groups and
 * their limits, and the real-time class as far as it displaces it.
 */
@NullMarked
package dev.perch.kernel.fair;

import org.jspecify.annotations.NullMarked;
