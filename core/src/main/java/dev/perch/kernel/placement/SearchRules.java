package dev.perch.kernel.placement;

import org.jspecify.annotations.Nullable;

/**
 * What the idle search of an era from 4.9 on is made of: a row of the table in placement.md 13.2. {@link #named} is the table, each row
 * written as its difference from an earlier one; the columns are the fields, explained where they are declared.
 *
 * <p>Only for set-up: {@link CacheSearch#of} chooses the step objects from a row once a run.
 */
final class SearchRules {
    /** What a CPU that runs only SCHED_IDLE work is to the search. */
    enum SchedIdle {
        /** Busy, until 5.3. */
        BUSY,
        /** Idle for the target, prev and the recent CPU; scans only remember it, for when there is nothing better: 5.4. */
        REMEMBERED,
        /** Idle wherever a single CPU is asked for; not where a whole core is: 5.5+. */
        IDLE
    }

    /** When the CPU scan is given up beforehand because the waker's CPU is idle for less time than a scan takes. */
    enum Gate {
        /** 4.9, 4.10. */
        ALWAYS,
        /** With the feature SIS_AVG_CPU, 4.11 – 5.11. */
        BY_FEATURE,
        NEVER
    }

    /** What SIS_PROP divides by the average cost of a scan to get the number of CPUs to look at. */
    enum Proportional {
        NONE,
        /** A 512th of the average idle time of the waker's CPU, 4.13 – 5.13. */
        AVERAGE_IDLE,
        /** The average idle time as wakeups since then have used it up, halved each tick, 5.14 – 6.6. */
        WAKE_AVERAGE_IDLE
    }

    /** Which CPUs the scan walks over; each one consumes budget. */
    enum Walk {
        /** Those of the LLC, the forbidden ones too, until 5.4. */
        SPAN,
        ALLOWED,
        /** Without the target: the patch clear-target. */
        ALLOWED_WITHOUT_TARGET
    }

    /** Which single threads of a core are tried. */
    enum Siblings {
        NONE,
        /** Of the target's, when everything else found nothing: until 5.11. */
        OF_TARGET_AT_LAST,
        /** Of prev's, before the scan, unless the LLC is believed to have an idle core: 5.13 – 6.0. */
        OF_PREV_AT_FIRST,
        /** As before, without prev itself: 6.1+. */
        OF_PREV_WITHOUT_IT
    }

    /** The rule of the CPU that the wakee used before prev. */
    enum Recent {
        NONE,
        /** Remembers prev instead when it hits, 4.16 – 5.14. */
        REPLACED_ON_HIT,
        /** Remembers prev at once, and so asks of prev what it means to ask of the recent CPU, whether it is allowed: 5.15 – 6.4. */
        REPLACED_TOO_EARLY,
        /** Remembers prev whether or not it hits, 6.5+. */
        REPLACED
    }

    /** When a wakeup by a per-CPU kernel thread stays on its CPU. */
    enum Kthread {
        NEVER,
        /** 5.6 – 5.15. */
        ALWAYS,
        /** Only if the thread itself wakes, not an interrupt that hit it: 5.16+. */
        NOT_FROM_INTERRUPT
    }

    /** What is done on a machine whose CPUs differ in capacity. */
    enum Capacity {
        /** Nothing. */
        IGNORED,
        /** The capacity scan instead of all other steps, 5.7 – 5.9. */
        SCAN_ONLY,
        /** Each step asks whether the task fits, and the capacity scan replaces the scans: 5.10+. */
        EACH_STEP
    }

    SchedIdle schedIdle = SchedIdle.BUSY;
    Gate gate = Gate.ALWAYS;
    Proportional proportional = Proportional.NONE;

    /** SIS_UTIL limits the scan, and 0 forbids it. */
    boolean utilization;

    Walk walk = Walk.SPAN;

    /** The scan starts at the CPU after the target, so that the busy target comes last. */
    boolean afterTarget;

    Siblings siblings = Siblings.OF_TARGET_AT_LAST;

    /** Siblings have to be in the LLC domain. */
    boolean siblingsInSpan;

    Recent recent = Recent.NONE;
    Kthread kthread = Kthread.NEVER;
    Capacity capacity = Capacity.IGNORED;

    /** Fitting knows the clamps and "fits except for the minimum" ({@code util_fits_cpu}). */
    boolean threeValuedFit;

    /** The capacity scan starts at the CPU after the target. */
    boolean capacityAfterTarget;

    /** One scan for cores and CPUs. */
    boolean merged;

    /** The test of a core looks at all its threads even after a busy one. */
    boolean everyThread = true;

    /** A vain search for a core clears the flag of the waker's LLC, not of the target's. */
    boolean clearsWakersFlag;

    /** A waker's CPU without LLC domain makes the merged scan fail whether or not SIS_PROP needs its averages. */
    boolean needsWakersCache = true;

    /** Threads of a core that is not idle are candidates only if their core has not been passed before. */
    boolean candidatesLeft;

    boolean clusters;

    private SearchRules() {}

    /** The row of an {@code idle-search} that kernel files name; null if it is none of these. */
    static @Nullable SearchRules named(String id) {
        return switch (id) {
            case "4.9" -> new SearchRules();
            case "4.11" -> since("4.9").gate(Gate.BY_FEATURE);
            case "4.13" -> since("4.11").proportional(Proportional.AVERAGE_IDLE);
            case "4.16" -> since("4.13").recent(Recent.REPLACED_ON_HIT);
            case "4.18" -> since("4.16");
            case "5.4" -> since("4.18").schedIdle(SchedIdle.REMEMBERED);
            case "5.6" -> since("5.4").schedIdle(SchedIdle.IDLE).walk(Walk.ALLOWED).kthread(Kthread.ALWAYS);
            case "5.7" -> since("5.6").capacity(Capacity.SCAN_ONLY).coreTestStopsAtBusy();
            case "5.10" -> since("5.7").capacity(Capacity.EACH_STEP).siblingsInSpan(true);
            case "5.12" -> since("5.10").merged().siblings(Siblings.NONE).clearsWakersFlag(true);
            case "5.13" -> since("5.12").siblings(Siblings.OF_PREV_AT_FIRST).clearsWakersFlag(false);
            case "5.14" -> since("5.13").proportional(Proportional.WAKE_AVERAGE_IDLE);
            case "5.15" -> since("5.14").startAfterTarget().recent(Recent.REPLACED_TOO_EARLY);
            case "clear-target" -> since("5.15").walk(Walk.ALLOWED_WITHOUT_TARGET);
            case "5.16" -> since("5.15").kthread(Kthread.NOT_FROM_INTERRUPT);
            case "6.0" -> since("5.16").utilization();
            case "6.1" ->
                since("6.0")
                        .siblings(Siblings.OF_PREV_WITHOUT_IT)
                        .siblingsInSpan(false)
                        .threeValuedFit()
                        .wakersCacheOptional();
            case "6.1.192" ->
                since("6.1").recent(Recent.REPLACED).siblingsInSpan(true).candidatesLeft();
            case "6.4" -> since("6.1").capacityAfterTarget(true);
            case "6.5" -> since("6.4").recent(Recent.REPLACED);
            case "6.6" -> since("6.5").capacityAfterTarget(false);
            case "6.7" -> since("6.6").clusters().proportional(Proportional.NONE);
            case "6.9" -> since("6.7").siblingsInSpan(true).candidatesLeft();
            default -> null;
        };
    }

    private static SearchRules since(String id) {
        SearchRules rules = named(id);
        if (rules == null) {
            throw new IllegalArgumentException(id);
        }
        return rules;
    }

    private SearchRules schedIdle(SchedIdle value) {
        schedIdle = value;
        return this;
    }

    private SearchRules gate(Gate value) {
        gate = value;
        return this;
    }

    private SearchRules proportional(Proportional value) {
        proportional = value;
        return this;
    }

    private SearchRules utilization() {
        utilization = true;
        return this;
    }

    private SearchRules walk(Walk value) {
        walk = value;
        return this;
    }

    private SearchRules startAfterTarget() {
        afterTarget = true;
        return this;
    }

    private SearchRules siblings(Siblings value) {
        siblings = value;
        return this;
    }

    private SearchRules siblingsInSpan(boolean value) {
        siblingsInSpan = value;
        return this;
    }

    private SearchRules recent(Recent value) {
        recent = value;
        return this;
    }

    private SearchRules kthread(Kthread value) {
        kthread = value;
        return this;
    }

    private SearchRules capacity(Capacity value) {
        capacity = value;
        return this;
    }

    private SearchRules threeValuedFit() {
        threeValuedFit = true;
        return this;
    }

    private SearchRules capacityAfterTarget(boolean value) {
        capacityAfterTarget = value;
        return this;
    }

    private SearchRules merged() {
        merged = true;
        gate = Gate.NEVER;
        return this;
    }

    private SearchRules coreTestStopsAtBusy() {
        everyThread = false;
        return this;
    }

    private SearchRules clearsWakersFlag(boolean value) {
        clearsWakersFlag = value;
        return this;
    }

    private SearchRules wakersCacheOptional() {
        needsWakersCache = false;
        return this;
    }

    private SearchRules candidatesLeft() {
        candidatesLeft = true;
        return this;
    }

    private SearchRules clusters() {
        clusters = true;
        return this;
    }
}
