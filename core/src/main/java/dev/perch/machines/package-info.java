/** Where machines come from: YAML files, the live host's sysfs, a saved sysfs dump, hwloc XML. */
@NullMarked
package dev.perch.machines;

import org.jspecify.annotations.NullMarked;
