/**
 * What a recording says about the scheduler: state rebuilt from its events, a verdict for every wakeup, pairs, and how far an era's
 * rules agree. One class a question.
 */
@NullMarked
package dev.perch.audit;

import org.jspecify.annotations.NullMarked;
