package dev.perch.host.linux;

/** The calling thread has the lowest nice value for a while, if it may: it waits for nobody who runs on its CPU at a usual one. */
public final class Urgency implements AutoCloseable {
    private static final int LOWEST = -20;

    private final int before = ThisThread.nice();

    public Urgency() {
        set(LOWEST);
    }

    private static void set(int nice) {
        try {
            ThisThread.setNice(nice);
        } catch (SystemCallException e) {
            // without the privilege it stays as it is, which is only slower
        }
    }

    @Override
    public void close() {
        set(before);
    }
}
