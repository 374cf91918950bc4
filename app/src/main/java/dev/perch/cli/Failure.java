package dev.perch.cli;

import dev.perch.model.InputException;
import dev.perch.store.StoreException;
import java.io.PrintStream;

/** Tells the user that a verb failed: one line, and the stack trace only on request. */
final class Failure {
    private Failure() {}

    /** @return the exit code: 2 for unusable input, 1 for anything else */
    static int report(Exception failure, boolean debug, PrintStream err) {
        boolean input = failure instanceof InputException;
        String message = String.valueOf(failure.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
        if (input || failure instanceof StoreException || failure instanceof OutputFile.FailedException) {
            err.println("perch: " + message);
        } else {
            String kind = failure.getClass().getSimpleName();
            err.println("perch: failed: " + kind + (failure.getMessage() == null ? "" : ": " + message)
                    + (debug ? "" : "; --debug shows where"));
        }
        if (debug) {
            failure.printStackTrace(err);
        }
        return input ? 2 : 1;
    }
}
