/** What must be true at every moment of a simulated run, whatever runs: checked on request while it goes on. */
@NullMarked
package dev.perch.sim.check;

import org.jspecify.annotations.NullMarked;
