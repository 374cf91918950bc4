/** What CPUs, tasks and task groups are known to want and to do, as placement, balancing and frequency scaling read it. */
@NullMarked
package dev.perch.kernel.load;

import org.jspecify.annotations.NullMarked;
