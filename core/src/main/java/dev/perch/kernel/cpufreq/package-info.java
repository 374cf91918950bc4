/** Frequency governors: which clock a CPU asks the hardware for. */
@NullMarked
package dev.perch.kernel.cpufreq;

import org.jspecify.annotations.NullMarked;
