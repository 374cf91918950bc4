/**
 * Where a waking task goes: the placement rules of each kernel era, over a view of the CPUs that counts what they look at.
 *
 * <p>{@link dev.perch.kernel.placement.Placement} chooses the rules once a run; after that a decision allocates nothing.
 */
@NullMarked
package dev.perch.kernel.placement;

import org.jspecify.annotations.NullMarked;
