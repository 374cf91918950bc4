/**
 * Linux as the host's measurements see it: the calls into the kernel, by the Foreign Function and Memory API and without C code, and the small files of proc
 * and sysfs.
 */
@NullMarked
package dev.perch.host.linux;

import org.jspecify.annotations.NullMarked;
