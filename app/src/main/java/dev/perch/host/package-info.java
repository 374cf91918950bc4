/**
 * The machine that Perch runs on: native benchmarks, a recorder, and probes of what things cost. Talks to Linux through the C library, by the
 * Foreign Function and Memory API; there is no C code.
 */
@NullMarked
package dev.perch.host;

import org.jspecify.annotations.NullMarked;
