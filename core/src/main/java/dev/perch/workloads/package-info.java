/** Where described workloads come from: rt-app's JSON files and YAML files of Perch's own. */
@NullMarked
package dev.perch.workloads;

import org.jspecify.annotations.NullMarked;
