/** The comparison of two recordings. */
@NullMarked
package dev.perch.lab.recordings;

import org.jspecify.annotations.NullMarked;
