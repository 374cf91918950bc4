/** The command {@code perch}: one class a verb, and what they share. */
@NullMarked
package dev.perch.cli;

import org.jspecify.annotations.NullMarked;
