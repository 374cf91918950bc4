package dev.perch.lab.elsewhere;

import dev.perch.model.InputException;
import java.util.List;

/** A tool whose output is read. */
sealed interface ResultFormat permits PerfBench, Hackbench, Tbench, Netperf, CsvResults, BareNumbers {
    /** Whether a file was written by the tool, from what it contains. */
    boolean recognises(ResultText text);

    /**
     * The measurements of a file that is recognised, in order.
     *
     * @throws InputException it ends before its result, or a result is not a number
     */
    List<Measurement> read(ResultText text);
}
