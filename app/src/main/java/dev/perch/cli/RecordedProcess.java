package dev.perch.cli;

import dev.perch.model.InputException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The command that is run while a recording lasts; with our standard input, output and error. Without a command, nothing. */
final class RecordedProcess implements AutoCloseable {
    private static final long PATIENCE_S = 2;

    private final List<String> command;
    private final Runnable atEnd;
    private @Nullable Process process;
    private @Nullable InputException failure;
    private boolean closed;

    /**
     * @param command words of the command; none for no command
     * @param atEnd is run when it has ended by itself
     */
    RecordedProcess(List<String> command, Runnable atEnd) {
        this.command = command;
        this.atEnd = atEnd;
    }

    /** Starts it, from any thread; whether that worked, {@link #check} says. */
    synchronized void start() {
        if (command.isEmpty() || closed) {
            return;
        }
        try {
            Process started = new ProcessBuilder(command).inheritIO().start();
            process = started;
            CompletableFuture<Void> _ = started.onExit().thenRun(atEnd);
        } catch (IOException e) {
            failure = new InputException("cannot run '" + command.getFirst() + "': " + reason(e), e);
            atEnd.run();
        }
    }

    /** @throws InputException it could not be started */
    synchronized void check() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Of a message that ends in the C library's words in parentheses, those. */
    private static String reason(IOException failure) {
        String message = String.valueOf(failure.getMessage()).strip();
        int words = message.lastIndexOf('(');
        return words >= 0 && message.endsWith(")") ? message.substring(words + 1, message.length() - 1) : message;
    }

    /** 0 without a command; 128 and the number of the signal that ended it. */
    synchronized int exitCode() {
        Process ended = process;
        return ended == null || ended.isAlive() ? 0 : ended.exitValue();
    }

    /** Ends it and all that it has started, if it still runs. */
    @Override
    public synchronized void close() {
        closed = true;
        Process running = process;
        if (running == null || !running.isAlive()) {
            return;
        }
        List<ProcessHandle> children = running.descendants().toList();
        running.destroy();
        children.forEach(ProcessHandle::destroy);
        try {
            running.waitFor(PATIENCE_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
