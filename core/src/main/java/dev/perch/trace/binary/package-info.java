/**
 * What the binary formats share: event descriptions and the decoders made from them, ring-buffer pages, the description blob of
 * trace.dat and perf.data, and the merge of many CPUs' events into one order.
 *
 * <pre>
 *   bytes ─ TracepointDecoder (from the recording's own description) ─ PackedEvents per CPU ─ EventMerge ─ SchedEvents
 * </pre>
 */
@NullMarked
package dev.perch.trace.binary;

import org.jspecify.annotations.NullMarked;
