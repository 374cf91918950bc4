package dev.perch.trace;

import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;

/** A recording whose format is known and that waits to be read. Opened by {@link Recordings}. */
public interface Recording extends AutoCloseable {
    RecordingFormat format();

    /**
     * What it tells without being read through. To be asked before {@link #read}.
     *
     * @throws InputException if its source cannot be read
     */
    RecordingHead head();

    /**
     * Reads everything, once.
     *
     * @param sink gets the events, their times never decreasing
     * @param names gets what the tasks are called, while the events come
     * @return what was read, and what was wrong with it
     * @throws InputException if nothing can be made of the content, or its source cannot be read
     */
    RecordingSummary read(SchedEvents sink, TaskNames names);

    /** Lets the file go, and a temporary copy if there was one. */
    @Override
    void close();
}
