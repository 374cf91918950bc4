/** Checks placement rules against a kernel whose own view and decisions were recorded with kprobes, decision by decision. */
@NullMarked
package dev.perch.audit.probes;

import org.jspecify.annotations.NullMarked;
