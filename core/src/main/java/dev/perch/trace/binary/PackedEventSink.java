package dev.perch.trace.binary;

import java.io.IOException;

/** Takes packed events one by one. */
interface PackedEventSink {
    /** Takes the event at {@code words[at]}; the array is the caller's. */
    void take(long[] words, int at) throws IOException;
}
