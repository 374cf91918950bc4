/** Results of benchmarks on real machines: the output files of other tools, recognised by content. */
@NullMarked
package dev.perch.lab.elsewhere;

import org.jspecify.annotations.NullMarked;
