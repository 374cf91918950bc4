/** The recorder: scheduler events of all CPUs of the host, written as a recording that this program and other tools read. */
@NullMarked
package dev.perch.host.record;

import org.jspecify.annotations.NullMarked;
