package dev.perch.cli;

import dev.perch.model.InputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that a verb writes where the user says: first beside it, as FILE.part, which takes its name when it is complete. So there is never half a
 * file, and what was there before stays if anything goes wrong.
 */
final class OutputFile {
    private static final String UNFINISHED = ".part";

    private OutputFile() {}

    /** Writes it. */
    interface Work {
        /**
         * @param unfinished where to write
         * @return the verb's exit code
         */
        int write(Path unfinished) throws IOException, InterruptedException;
    }

    /** The file could not be written, through no fault of the user's input: a full disk, say. */
    static final class FailedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        FailedException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Checks that the file can be written, and has it written.
     *
     * @param option by which the user names it
     * @param name as the user gives it
     * @return what {@code work} returns
     * @throws InputException the file cannot be where the user wants it; nothing has been done then
     * @throws FailedException writing failed
     */
    static int write(String option, String name, Work work) throws InterruptedException {
        Path target = target(option, name);
        Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
        try {
            int exitCode = work.write(unfinished);
            Files.move(unfinished, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            return exitCode;
        } catch (IOException | UncheckedIOException e) {
            throw failed(name, e);
        } finally {
            deleteQuietly(unfinished);
        }
    }

    private static FailedException failed(String name, Exception e) {
        Throwable cause = e instanceof UncheckedIOException && e.getCause() != null ? e.getCause() : e;
        String reason = cause instanceof FileSystemException told && told.getReason() != null
                ? told.getReason()
                : String.valueOf(cause.getMessage());
        return new FailedException("cannot write " + name + ": " + reason, e);
    }

    private static Path target(String option, String name) {
        try {
            Path target = Path.of(name).toAbsolutePath();
            Path folder = target.getParent();
            if (Files.isDirectory(target)) {
                throw new InputException(option + ": " + name + " is a folder; name a file");
            }
            if (Files.exists(target) && !Files.isRegularFile(target)) {
                throw new InputException(option + ": " + name + " is not a file that can be replaced; name another");
            }
            if (folder == null || !Files.isDirectory(folder)) {
                throw new InputException(option + ": there is no folder " + folder);
            }
            if (!Files.isWritable(folder)) {
                throw new InputException(option + ": you may not write in the folder " + folder);
            }
            return target;
        } catch (InvalidPathException e) {
            throw new InputException(option + ": '" + name + "' is not a file name: " + e.getReason(), e);
        }
    }

    private static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // what went wrong before is what counts
        }
    }
}
