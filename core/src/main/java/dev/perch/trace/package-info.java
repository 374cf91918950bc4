/**
 * Recordings of scheduler events, as users bring them: recognised by their content and read into one stream.
 *
 * <pre>
 *   file or standard input ─ gzip, zstd ─ RecordingReader (one a format) ─ Reading (counts, order, defects) ─ SchedEvents
 * </pre>
 */
@NullMarked
package dev.perch.trace;

import org.jspecify.annotations.NullMarked;
