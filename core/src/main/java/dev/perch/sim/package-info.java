/** A modelled machine under a modelled kernel: clock and event queue, hardware cost, task programs, the run. */
@NullMarked
package dev.perch.sim;

import org.jspecify.annotations.NullMarked;
