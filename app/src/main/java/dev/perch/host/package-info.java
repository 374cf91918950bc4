/** The machine that Perch runs on, before anything is measured: its CPUs, what they share, and how busy it is with something else. */
@NullMarked
package dev.perch.host;

import org.jspecify.annotations.NullMarked;
