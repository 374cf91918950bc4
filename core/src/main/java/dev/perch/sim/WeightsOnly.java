package dev.perch.sim;

import dev.perch.kernel.placement.WakeRequest;

/** 2.6.39 to 3.10: the load of a CPU is the weight of what is queued, and tasks have none but their weight. */
final class WeightsOnly extends KeptLoads {
    private final Run run;

    WeightsOnly(Run run) {
        this.run = run;
    }

    @Override
    void begin(int cpu, int task) {
        // the queue knows its weight
    }

    @Override
    void enqueue(int cpu, int task) {
        // as above
    }

    @Override
    void leave(int task) {
        // what sleeps weighs nothing
    }

    @Override
    void requeue(int cpu, int task) {
        // no task is delayed in these kernels, and if one is it keeps its weight
    }

    @Override
    void sleep(int cpu, int task) {
        // the queue knows its weight
    }

    @Override
    void ended(int task) {
        // the queue has told of it
    }

    @Override
    void moved(int task, int from, int to) {
        // both queues know their weights
    }

    @Override
    void switching(int cpu) {
        // a running task weighs as much as a waiting one
    }

    @Override
    void picked(int cpu, int task) {
        // as above
    }

    @Override
    void tick(int cpu) {
        // time changes nothing
    }

    @Override
    void age(int cpu) {
        // as above
    }

    @Override
    void queueChanged(int cpu) {
        // the view has the weight already
    }

    @Override
    long cpuLoad(int cpu) {
        return run.runqueues[cpu].weight();
    }

    @Override
    long cpuUtil(int cpu) {
        return 0;
    }

    @Override
    long taskLoad(int task) {
        return run.runqueues[run.tasks.cpu[task]].weightAtRoot(task);
    }

    @Override
    long taskUtil(int task) {
        return 0;
    }

    @Override
    void describe(WakeRequest request, int wakee, int waker) {
        // the request has the weights already
    }
}
