/**
 * Reads perf.data, the file of {@code perf record}: as a file and as a pipe, plain and compressed.
 *
 * <p>Source of the layout: tools/perf/Documentation/perf.data-file-format.txt, tools/perf/util/header.c, include/uapi/linux/perf_event.h.
 */
@NullMarked
package dev.perch.trace.perfdata;

import org.jspecify.annotations.NullMarked;
