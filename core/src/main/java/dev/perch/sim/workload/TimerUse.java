package dev.perch.sim.workload;

/**
 * One use of a periodic timer by a program: the task sleeps until a period after the timer's last activation.
 *
 * @param timer number of the timer; tasks that share it share its last activation
 * @param periodNs 0 or more
 * @param originNs what counts as the activation before the first one, ns from the start of the run
 * @param absolute whether a missed activation leaves the timer's grid as it is; if not, the time at which it was missed is the activation
 * @param slack series of the times that were left until the activation, 0 where it was missed
 * @param missed counter of the missed ones
 */
public record TimerUse(int timer, long periodNs, long originNs, boolean absolute, int slack, int missed) {}
