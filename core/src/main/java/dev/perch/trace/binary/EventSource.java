package dev.perch.trace.binary;

import java.io.IOException;

/** A row of packed events in time order that {@link EventMerge} takes from: the first of them, and a way to the next. */
abstract class EventSource {
    /** Holds the first event at index {@link #head}; may be another array after {@link #advance}. */
    long[] words = new long[0];

    /** Index of the first event's word 0 in {@link #words}. */
    int head;

    /** Sources that hold events of equal time and CPU come in this order. */
    int rank;

    /** Goes on to the next event; false if there is none. */
    abstract boolean advance() throws IOException;
}
