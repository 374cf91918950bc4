package dev.perch.kernel.cpuidle;

/**
 * What an {@link IdleGovernor} knows of a CPU that goes idle, and what it says about the CPU's tick. A mutable bag that is filled anew
 * for every choice.
 */
public final class IdleEntry {
    /** Stands for a time without end, ns: longer than any that is computed with, and products with it still fit. */
    public static final long FAR_NS = 1_000_000_000_000L;

    /** The present time, ns. */
    public long now;
    /** Dynamic ticks are in use. */
    public boolean dynamicTicks;
    /** The tick has been stopped. */
    public boolean tickStopped;
    /** A tick period, ns. */
    public long tickNs;
    /** Time until the CPU's next timer, not counting the tick if dynamic ticks are in use, at most {@link #FAR_NS}. */
    public long timerNs;
    /** Time until the CPU's next timer or tick, whichever comes first; if the tick is stopped, it is the timer. */
    public long eventNs;
    /** The longest exit latency that somebody can bear ({@code PM_QOS_CPU_DMA_LATENCY}), µs. */
    public int latencyLimitUs = Integer.MAX_VALUE;
    /** Tasks of this CPU that wait for input or output. */
    public int iowaiters;
    /** Load of the CPU as of its last tick, {@code cpu_load[0]}; nice 0 = 1024. */
    public long cpuLoad;

    /** Answer: the tick, if it is running, is not to be stopped. Governors before 4.17 are not asked. */
    public boolean keepTick;
}
