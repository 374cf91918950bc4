package dev.perch.cli;

import dev.perch.model.InputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a user can tell about two recordings that are compared. */
final class RecordingComparisonOptions {
    @Option(
            names = "--machine",
            paramLabel = "MACHINE",
            description =
                    "Recordings: where both were made (perch audit --help); without it, what they tell themselves.")
    @Nullable
    String machine;

    @Option(
            names = "--comm",
            paramLabel = "NAME",
            description = "Recordings: only wakeups of or by tasks of this name.")
    String comm = "";

    /** @throws InputException an option is given although nothing that is compared is a recording */
    void refuse() {
        if (machine != null || !comm.isEmpty()) {
            throw new InputException((machine != null ? "--machine" : "--comm")
                    + " is for recordings, and none is compared; leave it out");
        }
    }
}
