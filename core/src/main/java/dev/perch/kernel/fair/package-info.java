/** The fair scheduling class: CFS of Linux 3.2 to 3.8 as a state machine, one runqueue a CPU. */
@NullMarked
package dev.perch.kernel.fair;

import org.jspecify.annotations.NullMarked;
