/** The scheduler as state machines without a clock or a queue of their own, and the kernels that are made of them. */
@NullMarked
package dev.perch.kernel;

import org.jspecify.annotations.NullMarked;
