package dev.perch.host.record;

import dev.perch.host.linux.KernelFile;
import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The file system in which the kernel describes its tracepoints.
 *
 * <p>Source: Documentation/trace/ftrace.rst and events.rst.
 */
final class Tracefs {
    private static final Path MOUNTS = Path.of("/proc/self/mounts");

    private final Path folder;

    private Tracefs(Path folder) {
        this.folder = folder;
    }

    /** The one in this folder, whatever is in it. */
    static Tracefs at(Path folder) {
        return new Tracefs(folder);
    }

    /** The mounted one. */
    static Tracefs find() {
        return find(MOUNTS);
    }

    /**
     * The one in a list of mounts.
     *
     * @param mounts in the form of /proc/self/mounts
     * @throws InputException none is mounted, or it may not be read
     */
    static Tracefs find(Path mounts) {
        List<String> lines = new String(KernelFile.bytes(mounts), StandardCharsets.UTF_8)
                .lines()
                .toList();
        Path found = mountOf("tracefs", lines)
                .or(() -> mountOf("debugfs", lines).map(folder -> folder.resolve("tracing")))
                .orElseThrow(() -> new InputException("recording needs tracefs, which is not mounted here; as root:"
                        + " mount -t tracefs nodev /sys/kernel/tracing" + Refusal.OTHER_WAYS));
        if (!Files.isReadable(found.resolve("events"))) {
            throw new InputException("recording needs to read " + found
                    + "/events, which only root may; record as root (sudo)" + Refusal.OTHER_WAYS);
        }
        return new Tracefs(found);
    }

    private static Optional<Path> mountOf(String type, List<String> mounts) {
        for (String mount : mounts) {
            String[] words = mount.split(" ");
            if (words.length > 2 && words[2].equals(type)) {
                return Optional.of(Path.of(words[1].replace("\\040", " ")));
            }
        }
        return Optional.empty();
    }

    /** The tracepoint, if this kernel has it. */
    Optional<RecordedEvent> event(String system, String name) {
        Path event = folder.resolve("events").resolve(system).resolve(name);
        try {
            long id = Long.parseLong(new String(KernelFile.read(event.resolve("id")), StandardCharsets.UTF_8).strip());
            byte[] format = KernelFile.read(event.resolve("format"));
            return Optional.of(new RecordedEvent(system, name, id, format));
        } catch (AccessDeniedException e) {
            throw new InputException(
                    "recording needs to read " + event + ", which only root may; record as root (sudo)"
                            + Refusal.OTHER_WAYS,
                    e);
        } catch (NoSuchFileException | NumberFormatException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new InputException(
                    "cannot read " + event + ": " + reason(e) + Refusal.lockdown() + Refusal.OTHER_WAYS, e);
        }
    }

    /** What the kernel said of a file. */
    static String reason(IOException failure) {
        if (failure instanceof AccessDeniedException) {
            return "Permission denied";
        }
        return failure instanceof FileSystemException told && told.getReason() != null
                ? told.getReason()
                : String.valueOf(failure.getMessage());
    }

    /** Where it is mounted. */
    Path folder() {
        return folder;
    }

    /** A file of tracefs as it is; empty if there is none. */
    byte[] bytes(String name) {
        return KernelFile.bytes(folder.resolve(name));
    }
}
