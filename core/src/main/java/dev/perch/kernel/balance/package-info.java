/** Moving tasks between runqueues: periodic, newly-idle, nohz-idle and active load balancing. */
@NullMarked
package dev.perch.kernel.balance;

import org.jspecify.annotations.NullMarked;
