package dev.perch.lab;

import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationSpec;

/** Runs one specification. Called from several threads at once. */
@FunctionalInterface
public interface Simulator {
    SimulationResult run(SimulationSpec spec);
}
