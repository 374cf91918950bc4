/** Results on disk: a folder a run, put in place whole; and SQL over them and over recordings. */
@NullMarked
package dev.perch.store;

import org.jspecify.annotations.NullMarked;
