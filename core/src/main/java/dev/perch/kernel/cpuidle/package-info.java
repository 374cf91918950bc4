/** Idle governors: how deep an idle CPU sleeps, and whether it stops its tick for that. */
@NullMarked
package dev.perch.kernel.cpuidle;

import org.jspecify.annotations.NullMarked;
