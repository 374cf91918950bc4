package dev.perch.model;

/**
 * Speed of a hardware thread beside its siblings, in thousandths of its speed alone.
 *
 * @param busyMille when a sibling executes
 * @param pollingMille when a sibling spins in its idle loop
 * @param repartitionNs what a busy thread loses, in wall time, when a sibling begins or ends to execute and the core's resources are
 *     shared out anew
 */
public record SmtSpeed(int busyMille, int pollingMille, int repartitionNs) {}
