/** YAML documents that remember where everything stands, so that an error can name the line. */
@NullMarked
package dev.perch.yaml;

import org.jspecify.annotations.NullMarked;
