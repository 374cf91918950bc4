package dev.perch.host;

import java.util.Map;

/** A system call failed. What that means to a user, and what would mend it, says whoever made the call. */
final class SystemCallException extends RuntimeException {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int EINVAL = 22;
    static final int EMFILE = 24;
    static final int EPIPE = 32;
    static final int ENOSYS = 38;
    static final int ETIMEDOUT = 110;

    private static final long serialVersionUID = 1;

    // The names of include/uapi/asm-generic/errno*.h.
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(EPERM, "EPERM"),
            Map.entry(ENOENT, "ENOENT"),
            Map.entry(EINTR, "EINTR"),
            Map.entry(EAGAIN, "EAGAIN"),
            Map.entry(ENOMEM, "ENOMEM"),
            Map.entry(EACCES, "EACCES"),
            Map.entry(EBUSY, "EBUSY"),
            Map.entry(EINVAL, "EINVAL"),
            Map.entry(EMFILE, "EMFILE"),
            Map.entry(EPIPE, "EPIPE"),
            Map.entry(ENOSYS, "ENOSYS"),
            Map.entry(ETIMEDOUT, "ETIMEDOUT"));

    private final int errno;

    SystemCallException(String call, int errno) {
        super(call + ": " + NAMES.getOrDefault(errno, "error " + errno));
        this.errno = errno;
    }

    /** Linux's number for what went wrong. */
    int errno() {
        return errno;
    }
}
