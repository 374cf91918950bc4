/**
 * The host as a machine that can be simulated: probes of what things cost on it, a machine file made from them, and how far simulations of that machine are from the
 * host itself.
 *
 * <pre>
 *   Probes ──▶ HostReadings ──▶ MeasuredMachine ──▶ HostFit ──▶ Machine ──▶ HostCheck
 *              (HostSurvey)     (nearest machine)   (pinned pairs)          (pinned and free pairs)
 * </pre>
 */
@NullMarked
package dev.perch.host.calibrate;

import org.jspecify.annotations.NullMarked;
