/** What everything else talks about: CPU sets, machines with their topology and costs, scheduler events. */
@NullMarked
package dev.perch.model;

import org.jspecify.annotations.NullMarked;
