/** What a CPU remembers of its load and of its idle periods, as balancing and affine wakeups read it. */
@NullMarked
package dev.perch.kernel.load;

import org.jspecify.annotations.NullMarked;
