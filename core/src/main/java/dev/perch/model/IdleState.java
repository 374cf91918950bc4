package dev.perch.model;

/**
 * One idle state of a CPU.
 *
 * @param name such as {@code C1}
 * @param exitUs exit latency in the driver's table, microseconds
 * @param residencyUs target residency in the driver's table, microseconds
 * @param realExitNs what leaving the state really takes, nanoseconds of wall time
 * @param votes whether a core in this state still takes part in the choice of the package's clock and in the count of active cores
 *     (true for C1, false for states that switch the core's clock or power off)
 */
public record IdleState(String name, int exitUs, int residencyUs, int realExitNs, boolean votes) {}
