package dev.perch.store;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A run that is being stored: a folder beside the others whose name begins with a dot, so that nobody takes it for one of them. Its files
 * are written to the disk, then the folder gets its name by one rename: whatever happens in between, the run is there whole or not at all.
 *
 * <p>While it is made, a file in it is locked; the lock ends with the process, however it ends, and tells {@link Leftovers} which folders
 * nobody works on any more.
 */
public final class NewRun implements AutoCloseable {
    private static final long NEXT_TRY_NS = 300_000;

    private final Path store;
    private final Path folder;
    private final FileChannel lockFile;
    private final Clock clock;
    private boolean stored;

    private NewRun(Path store, Path folder, FileChannel lockFile, Clock clock) {
        this.store = store;
        this.folder = folder;
        this.lockFile = lockFile;
        this.clock = clock;
    }

    /** Makes the folder, and the store if it is the first run in it. */
    static NewRun begin(Path store, Clock clock) throws IOException {
        Files.createDirectories(store);
        Path folder = makeFolder(store);
        FileChannel lockFile = FileChannel.open(
                folder.resolve(Leftovers.LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        FileLock lock = lockFile.lock();
        if (!lock.isValid()) {
            throw new IOException("cannot lock " + folder);
        }
        return new NewRun(store, folder, lockFile, clock);
    }

    /** With the rights that the user gives to new folders, unlike the JDK's temporary folders, which nobody else may read. */
    private static Path makeFolder(Path store) throws IOException {
        while (true) {
            String suffix = Long.toHexString(ThreadLocalRandom.current().nextLong());
            Path folder = store.resolve(Leftovers.PREFIX + suffix);
            try {
                Leftovers.own(folder);
                return Files.createDirectory(folder);
            } catch (FileAlreadyExistsException e) {
                Leftovers.disown(folder);
            }
        }
    }

    /**
     * A new file of the run. When it is closed, its content is on the disk.
     *
     * @param name may have folders in it
     */
    public OutputStream file(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return new BufferedOutputStream(new Synced(channel), 1 << 16);
    }

    /** Bytes to a file, which are on the disk once it is closed. */
    private static final class Synced extends FilterOutputStream {
        private final FileChannel channel;

        Synced(FileChannel channel) {
            super(java.nio.channels.Channels.newOutputStream(channel));
            this.channel = channel;
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            out.write(bytes, from, count);
        }

        @Override
        public void close() throws IOException {
            try (channel) {
                channel.force(true);
            }
        }
    }

    /**
     * Puts the run in its place.
     *
     * @return its id
     */
    public String put() {
        try {
            Files.delete(folder.resolve(Leftovers.LOCK));
            sync(folder);
            String id = rename();
            sync(store);
            return id;
        } catch (IOException e) {
            throw StoreException.notStored(store, e);
        }
    }

    private String rename() throws IOException {
        while (true) {
            String id = RunId.of(clock.instant());
            Path place = store.resolve(id);
            try {
                Files.move(folder, place, StandardCopyOption.ATOMIC_MOVE);
                stored = true;
                return id;
            } catch (FileSystemException e) {
                if (!Files.exists(place)) {
                    throw e;
                }
                LockSupport.parkNanos(NEXT_TRY_NS);
            }
        }
    }

    /** Names in a folder are safe only when the folder itself is on the disk. */
    private static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Takes everything away again, unless the run was put in its place. */
    @Override
    public void close() {
        try (lockFile) {
            if (!stored) {
                Leftovers.delete(folder);
            }
        } catch (IOException e) {
            throw StoreException.failed("cannot remove " + folder, e);
        } finally {
            Leftovers.disown(folder);
        }
    }
}
