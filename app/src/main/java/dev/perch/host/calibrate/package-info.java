/**
 * The host as a machine that can be simulated: a machine file made of what probes say, and how far simulations of it are from the host itself.
 *
 * <pre>
 *   Probes ──▶ HostReadings ──▶ MeasuredMachine ──▶ HostFit ──▶ Machine ──▶ HostCheck
 *              (HostSurvey)     (nearest machine)   (bound pairs)           (bound and free pairs)
 * </pre>
 */
@NullMarked
package dev.perch.host.calibrate;

import org.jspecify.annotations.NullMarked;
