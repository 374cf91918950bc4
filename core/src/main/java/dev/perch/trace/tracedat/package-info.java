/**
 * Reads trace.dat, the file of {@code trace-cmd record}, versions 6 and 7.
 *
 * <p>Source of the layout: trace-cmd's Documentation/trace-cmd/trace-cmd.dat.v6.5.txt and trace-cmd.dat.v7.5.txt.
 */
@NullMarked
package dev.perch.trace.tracedat;

import org.jspecify.annotations.NullMarked;
