package dev.perch.kernel.placement;

/** The steps that placement rules report to a {@link PlacementListener}, and what each says about its CPU. */
public enum PlacementStep {
    /** CPU: prev. The task may run on one CPU only, so prev is returned without a search. */
    PINNED("pinned to one CPU: prev without a search"),
    /** CPU: prev. Whether some wake-affine domain of the waker's CPU holds it. */
    AFFINE_DOMAIN("a wake-affine domain holds this and prev"),
    /** CPU: this. Whether waker and wakee wake so many others that they are better kept apart. */
    WAKE_WIDE("wake_wide"),
    /** CPU: this. Whether the waker's CPU is a candidate: not wake_wide, and allowed. */
    WANT_AFFINE("want_affine"),
    /** CPU: this. Whether the wakee is pulled to the waker's CPU. */
    WAKE_AFFINE("wake_affine pulls to this"),
    /** CPU: the one looked at. Whether it is idle by the era's test. */
    IDLE("idle"),
    /** CPU: the target. Whether it is idle, so that nothing is searched. */
    TARGET_IDLE("the target is idle"),
    /** CPU: prev. Whether it is idle and shares the target's cache. */
    PREV_IDLE("prev is idle and shares the target's cache"),
    /** CPU: the target. A sync wakeup that stays with its waker, without a search. */
    SYNC_STAYS("a sync wakeup stays with its waker"),
    /** CPU: the idle one found among those of a domain, or −1. */
    LEVEL_SCAN("an idle CPU of the domain"),
    /** CPU: the first allowed one of a wholly idle group of a domain, or −1. */
    GROUP_SCAN("a wholly idle group of the domain"),
    /** CPU: the target's buddy at a level. Whether it is allowed and idle. */
    BUDDY("the target's buddy is idle"),
    /** CPU: the target. The search found nothing. */
    NOTHING_FOUND("nothing found: the target"),
    /** CPU: first of the idlest group of a domain, or −1 to stay with the local group. */
    IDLEST_GROUP("another group is idler"),
    /** CPU: the idlest of a group. Whether it is another one than before. */
    IDLEST_CPU("the idlest CPU of the group"),
    /** CPU: what the rules chose. Whether the task may run there. */
    VALIDITY("the choice is allowed"),
    /** CPU: the allowed one taken instead, of prev's node if possible. */
    FALLBACK("fallback to an allowed CPU");

    private final String text;

    PlacementStep(String text) {
        this.text = text;
    }

    /** The step in words. */
    public String text() {
        return text;
    }
}
