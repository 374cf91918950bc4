package dev.perch.host.bench;

/** What two tasks talk through. */
public enum LinkKind {
    /** Two pipes, as perf bench sched pipe has. */
    PIPE,
    /** Words in shared memory and the futex system call. */
    FUTEX,
    /** A connected pair of Unix-domain stream sockets. */
    SOCKETPAIR,
    /** A TCP connection over loopback, as netperf TCP_RR has. */
    TCP_RR
}
