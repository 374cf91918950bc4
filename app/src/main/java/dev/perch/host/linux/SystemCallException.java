package dev.perch.host.linux;

import java.util.Map;

/** A system call failed. What that means to a user, and what would mend it, says whoever made the call. */
public final class SystemCallException extends RuntimeException {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EBUSY = 16;
    public static final int EINVAL = 22;
    public static final int EMFILE = 24;
    public static final int EPIPE = 32;
    public static final int ENOSYS = 38;
    public static final int ETIMEDOUT = 110;

    private static final long serialVersionUID = 1;

    // The names of include/uapi/asm-generic/errno*.h.
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(EPERM, "EPERM"),
            Map.entry(ENOENT, "ENOENT"),
            Map.entry(EINTR, "EINTR"),
            Map.entry(EBADF, "EBADF"),
            Map.entry(EAGAIN, "EAGAIN"),
            Map.entry(ENOMEM, "ENOMEM"),
            Map.entry(EACCES, "EACCES"),
            Map.entry(EBUSY, "EBUSY"),
            Map.entry(EINVAL, "EINVAL"),
            Map.entry(EMFILE, "EMFILE"),
            Map.entry(EPIPE, "EPIPE"),
            Map.entry(ENOSYS, "ENOSYS"),
            Map.entry(ETIMEDOUT, "ETIMEDOUT"));

    private final String call;
    private final int errno;

    public SystemCallException(String call, int errno) {
        super(call + ": " + NAMES.getOrDefault(errno, "error " + errno));
        this.call = call;
        this.errno = errno;
    }

    /** What was called. */
    public String call() {
        return call;
    }

    /** Linux's number for what went wrong. */
    public int errno() {
        return errno;
    }
}
