/** What is kept of a stream of scheduler events to draw it: who wakes where, how long it takes, and one millisecond in full. */
@NullMarked
package dev.perch.report.observe;

import org.jspecify.annotations.NullMarked;
