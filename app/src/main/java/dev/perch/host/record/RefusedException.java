package dev.perch.host.record;

/** The kernel, or how this machine is set up, does not let us record in one way; the message says why and what would change that. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RefusedException(String reason, Throwable cause) {
        super(reason, cause);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
