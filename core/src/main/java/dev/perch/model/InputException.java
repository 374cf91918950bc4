package dev.perch.model;

/**
 * Wrong use or unusable input: something the user gave cannot be used as it is.
 *
 * <p>The message is one line for the user: what is wrong, where (file and line, or byte offset), and what would mend it. The command
 * line prints it without a stack trace and exits 2.
 */
public final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InputException(String message) {
        super(message);
    }

    public InputException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The line for the user; never null. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
