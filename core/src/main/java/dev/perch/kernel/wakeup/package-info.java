/** Completing a wakeup once a CPU has been chosen: who enqueues the task, and how the CPU learns of it. */
@NullMarked
package dev.perch.kernel.wakeup;

import org.jspecify.annotations.NullMarked;
