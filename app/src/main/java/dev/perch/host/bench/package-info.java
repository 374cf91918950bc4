/** Benchmarks that run on the host itself: pairs of tasks that wake each other, and groups of senders and receivers. */
@NullMarked
package dev.perch.host.bench;

import org.jspecify.annotations.NullMarked;
