package dev.perch.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Folders of runs that were being stored, or removed, when their process was killed.
 *
 * <p>One is deleted if it is older than {@value #AGE_MINUTES} minutes and nobody holds its lock. The lock alone tells who is alive, on whatever
 * machine and in whatever container that shares the folder; the age covers the moment between making a folder and locking it.
 */
final class Leftovers {
    /** How their names begin; no run's name does. */
    static final String PREFIX = ".new-";

    /** The file in them that is locked. */
    static final String LOCK = "lock";

    private static final long AGE_MINUTES = 10;

    /** What this process is at: to open a lock file of its own and close it again would give the lock up. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private Leftovers() {}

    static void own(Path folder) {
        OWN.add(folder);
    }

    static void disown(Path folder) {
        OWN.remove(folder);
    }

    /** Deletes what is left over in a store. What cannot be deleted stays; it is in nobody's way. */
    static void clean(Path store) {
        clean(store, Duration.ofMinutes(AGE_MINUTES));
    }

    static void clean(Path store, Duration age) {
        Instant before = Instant.now().minus(age);
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(store, PREFIX + "*")) {
            for (Path folder : folders) {
                if (!OWN.contains(folder)
                        && !Files.getLastModifiedTime(folder).toInstant().isAfter(before)
                        && !isLocked(folder)) {
                    delete(folder);
                }
            }
        } catch (IOException e) {
            // somebody else cleans up too, or may not
        }
    }

    private static boolean isLocked(Path folder) throws IOException {
        try (FileChannel file = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE);
                FileLock lock = file.tryLock()) {
            return lock == null;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Deletes a folder with all in it; not to exist is no fault. */
    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
