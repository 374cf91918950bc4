/** Results apart from where they come from, and the comparison of several of them. */
@NullMarked
package dev.perch.lab.results;

import org.jspecify.annotations.NullMarked;
