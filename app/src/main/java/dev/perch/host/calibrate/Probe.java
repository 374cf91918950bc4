package dev.perch.host.calibrate;

import dev.perch.host.probe.Probes;

/** What is measured to make a machine file; {@link Probes} says how. */
public enum Probe {
    SYSTEM_CALL("system call"),
    PIPE_WRITE("write to a pipe"),
    PIPE_READ("read from a pipe"),
    SOCKET_SEND("send on a Unix socket"),
    SOCKET_RECEIVE("receive on a Unix socket"),
    TCP_SEND("send over TCP loopback"),
    TCP_RECEIVE("receive over TCP loopback"),
    FUTEX_WAKE("futex wake, nobody waits"),
    YIELD("sched_yield alone"),
    SWITCH_THREAD("switch between threads"),
    SWITCH_PROCESS("switch between processes"),
    WAKE_LATENCY_HERE("wakeup until it runs, same CPU"),
    TICK("timer tick"),
    CLOCK("clock [kHz]"),
    LINE_TRANSFER("cache line, one way"),
    INTERRUPT("interrupt there and back"),
    WAKE_CALL("futex wake, who sleeps there"),
    WAKE_LATENCY("wakeup until it runs"),
    MIGRATION_REFILL("first calls after a move"),
    BESIDE("speed beside the other [1]");

    private final String title;

    Probe(String title) {
        this.title = title;
    }

    /** For people. */
    public String title() {
        return title;
    }
}
