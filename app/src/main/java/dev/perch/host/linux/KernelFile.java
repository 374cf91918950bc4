package dev.perch.host.linux;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The small files of proc and sysfs, of which any may be missing: a kernel built without it, a container that hides it. */
public final class KernelFile {
    private static final int PIECE = 1 << 16;

    private KernelFile() {}

    /** All of a file as it is; empty if it is not there or may not be read. */
    public static byte[] bytes(Path file) {
        try {
            return read(file);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    /**
     * All of a file as it is. In large pieces: these files have no size, and some (events/header_page of tracefs) give what is read first
     * and nothing after it, however little that was.
     */
    public static byte[] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            byte[] piece = new byte[PIECE];
            for (int count = in.read(piece); count > 0; count = in.read(piece)) {
                content.write(piece, 0, count);
            }
            return content.toByteArray();
        }
    }

    /** The text of a file without blanks around it; empty if it is not there or may not be read. */
    public static String text(Path file) {
        return new String(bytes(file), StandardCharsets.UTF_8).strip();
    }

    /** The first of the files that has a text, or an empty text. */
    public static String firstText(Path first, Path second) {
        String text = text(first);
        return text.isEmpty() ? text(second) : text;
    }

    /** The number that a file holds, or {@code otherwise}. */
    public static int number(Path file, int otherwise) {
        String text = text(file);
        try {
            return text.isEmpty() ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
