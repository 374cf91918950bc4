package dev.perch.kernel.placement;

/** What the scan of a last-level cache came to in a decision ({@code select_idle_cpu}, with what belongs to it; 4.9+). */
public enum ScanResult {
    /** None was made: a guess before it was right, or there is nothing to scan. */
    NONE,
    /** An idle CPU was found. */
    FOUND,
    /** All CPUs that it may look at were looked at, and none was idle. */
    NOTHING_IDLE,
    /** The scan ended, or was not begun, because it may look at so many CPUs only. */
    BUDGET_SPENT
}
