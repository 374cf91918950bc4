/** What things cost on the machine that Perch runs on: small probes, each of one cost, and what the kernel says of clocks and idle states. */
@NullMarked
package dev.perch.host.probe;

import org.jspecify.annotations.NullMarked;
