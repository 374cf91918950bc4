/**
 * Reads traces of Perfetto: protobuf with ftrace events in it.
 *
 * <p>Source of the field numbers: protos/perfetto/trace/{trace_packet,ftrace/*,system_info}.proto of Perfetto, 2026.
 */
@NullMarked
package dev.perch.trace.perfetto;

import org.jspecify.annotations.NullMarked;
