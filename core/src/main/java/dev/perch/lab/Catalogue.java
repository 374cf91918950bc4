package dev.perch.lab;

import dev.perch.kernel.Kernel;
import dev.perch.model.Machine;

/** Where an experiment finds the machines and kernels that it names. */
public interface Catalogue {
    /**
     * @throws dev.perch.model.InputException if there is no such machine, or its description is wrong
     */
    Machine machine(String name);

    /**
     * @throws dev.perch.model.InputException if there is no such kernel, or a patch or setting does not fit it
     */
    Kernel kernel(String expression);
}
