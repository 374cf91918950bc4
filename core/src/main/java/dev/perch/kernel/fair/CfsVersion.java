package dev.perch.kernel.fair;

/**
 * The steps in which CFS changed between 2.6.39 and 6.5 (spec: scheduler.md 1, columns and 1.21). Each constant is named by the first
 * kernel that has it and includes those before it; when exactly the changes of 4.8, 4.15 and 5.13 came is from memory.
 */
enum CfsVersion {
    /** Virtual runtimes of sleepers are relative while they wake; the current task is put back before the next one is picked. */
    V3_2("3.2"),
    /** As 3.2; the one list of tasks a CPU is the balancer's matter. */
    V3_4("3.4"),
    /** Wakeup preemption is a feature bit. */
    V3_8("3.8"),
    /** Weighted deltas are truncated. */
    V3_13("3.13"),
    /** A sleeper keeps its virtual runtime unless it changes its CPU; the current task stays out of the tree while others are picked. */
    V4_8("4.8"),
    /** Balancing looks at the oldest tasks first, and a task that is picked becomes the newest. */
    V4_15("4.15"),
    /** Slices come from the number of tasks on the whole CPU and have a least length. */
    V5_13("5.13"),
    /** Entities under SCHED_IDLE have a smaller credit for sleep, shorter slices and never preempt. */
    V5_16("5.16"),
    /** A sleep of more than 104 days forgets the virtual runtime. */
    V6_1("6.1");

    private final String id;

    CfsVersion(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    boolean since(CfsVersion first) {
        return compareTo(first) >= 0;
    }
}
