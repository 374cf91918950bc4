/** Pictures of results: self-contained HTML pages of experiments and audits, and single charts as SVG or PNG. */
@NullMarked
package dev.perch.report;

import org.jspecify.annotations.NullMarked;
