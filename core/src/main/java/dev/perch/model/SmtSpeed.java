package dev.perch.model;

/**
 * Speed of a hardware thread beside its siblings, in thousandths of its speed alone.
 *
 * @param busyMille when a sibling executes
 * @param pollingMille when a sibling spins in its idle loop
 */
public record SmtSpeed(int busyMille, int pollingMille) {}
