package dev.perch.sim.workload;

/** How one instance of a workload becomes tasks. */
interface Recipe {
    WorkloadKind kind();

    /**
     * Adds the tasks of one instance, and the instance itself.
     *
     * @throws dev.perch.model.InputException an option or a cost that the machine lacks
     */
    void add(Workload.Builder builder, Options options, Site site);
}
