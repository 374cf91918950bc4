/** Recordings, and simulated runs that are recordings, written for other tools: with all that an audit finds out about them. */
@NullMarked
package dev.perch.export;

import org.jspecify.annotations.NullMarked;
