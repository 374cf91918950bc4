/** JMH benchmarks: one class stands beside each hot path of {@code core}, named after it. */
@NullMarked
package dev.perch.bench;

import org.jspecify.annotations.NullMarked;
