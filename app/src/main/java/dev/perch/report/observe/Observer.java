package dev.perch.report.observe;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditOptions;
import dev.perch.audit.AuditResult;
import dev.perch.model.BothEvents;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;

/**
 * Watches one stream of events: an audit, and beside it what the audit does not keep.
 *
 * <p>Its memory depends on the number of tasks, CPUs and pairs, not on the number of events.
 */
public final class Observer {
    private final Audit audit;
    private final TaskNames names;
    private final WakeMatrix matrix = new WakeMatrix();
    private final MillisecondChoice millisecond;

    /**
     * @param audit that has not seen an event yet
     * @param options of the audit
     * @param names filled by whoever gives the events
     */
    public Observer(Audit audit, AuditOptions options, TaskNames names) {
        this.audit = audit;
        this.names = names;
        millisecond = new MillisecondChoice(options.from(), options.to());
        audit.addConsumer(matrix);
    }

    /** Where the events go, in their order; they reach the audit too. */
    public SchedEvents events() {
        return new BothEvents(audit.events(), millisecond);
    }

    /** The stream is over, and the audit has finished with {@code result}. */
    public Observation finish(AuditResult result) {
        return new Observation(result, matrix, millisecond.choose(names));
    }
}
