package dev.perch.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The store cannot be used as it is: its disk is full, its folder cannot be written. One line for the user; nothing stored before is touched. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private StoreException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * The result of a run could not be stored.
     *
     * @param folder of the store
     * @param cause an {@link IOException}, or an exception that carries one
     */
    public static StoreException notStored(Path folder, Exception cause) {
        return new StoreException(
                "the result cannot be stored in " + folder + ": " + reason(cause)
                        + "; make room or name another folder with --store, or leave it out with --no-store",
                cause);
    }

    /** There is no place for temporary files. */
    public static StoreException noRoom(Path folder, Exception cause) {
        return new StoreException(
                "cannot write temporary files to " + folder + ": " + reason(cause)
                        + "; make room, or name another folder with JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR",
                cause);
    }

    /** Something else failed. */
    static StoreException failed(String what, IOException cause) {
        return new StoreException(what + ": " + reason(cause), cause);
    }

    /** What went wrong, without the path that Java puts before it. */
    private static String reason(Exception cause) {
        return switch (cause) {
            case UncheckedIOException e when e.getCause() != null -> reason(e.getCause());
            case AccessDeniedException e -> "permission denied" + (e.getFile() == null ? "" : " at " + e.getFile());
            case NoSuchFileException e -> "there is no " + e.getFile();
            case FileSystemException e when e.getReason() != null -> e.getReason();
            case Exception e -> String.valueOf(e.getMessage());
        };
    }
}
