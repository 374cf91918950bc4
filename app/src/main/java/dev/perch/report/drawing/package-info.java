/** Drawings and the two ways to write them: shapes, scales, colours, SVG and PNG. */
@NullMarked
package dev.perch.report.drawing;

import org.jspecify.annotations.NullMarked;
