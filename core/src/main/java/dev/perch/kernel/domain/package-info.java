/** Scheduling domains: the sets of CPUs inside which the scheduler places and balances tasks, from the SMT core to the machine. */
@NullMarked
package dev.perch.kernel.domain;

import org.jspecify.annotations.NullMarked;
