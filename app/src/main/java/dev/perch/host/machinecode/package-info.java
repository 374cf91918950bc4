/**
 * Programs of a few machine instructions, made at run time: for tasks that are to be as light as those of a program in C, and of which there
 * may be hundreds.
 */
@NullMarked
package dev.perch.host.machinecode;

import org.jspecify.annotations.NullMarked;
