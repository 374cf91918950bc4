package dev.perch.cli;

import dev.perch.lab.Simulator;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * What a verb works with.
 *
 * @param home finds the folder that holds machines, kernels and experiments; asked only by verbs that need it
 * @param store where runs are stored if nobody says otherwise
 * @param out for results
 * @param err for errors and progress
 * @param terminal whether {@code err} is a terminal, so that progress may be shown
 * @param simulator runs simulations
 */
record Surroundings(
        Supplier<Path> home, Path store, PrintStream out, PrintStream err, boolean terminal, Simulator simulator) {}
