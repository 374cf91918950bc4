package dev.perch.lab.elsewhere;

import dev.perch.model.InputException;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The lines of a result file; gzip, xz and zstd are seen through.
 *
 * @param name what to call it in messages
 * @param lines without line ends
 */
record ResultText(String name, List<String> lines) {
    /** More than any of these tools writes; what is longer is something else. */
    private static final int LONGEST = 64 << 20;

    ResultText {
        lines = List.copyOf(lines);
    }

    /**
     * Reads a file.
     *
     * @throws InputException it cannot be read, is empty, too long, or not text
     */
    static ResultText read(Path file) {
        byte[] bytes;
        try (InputStream in = opened(Files.newInputStream(file))) {
            bytes = in.readNBytes(LONGEST + 1);
        } catch (IOException e) {
            throw new InputException(file + " cannot be read: " + reason(e), e);
        }
        if (bytes.length > LONGEST) {
            throw new InputException(file + " is longer than " + (LONGEST >> 20) + " MiB; no result file is");
        }
        for (byte each : bytes) {
            if (each == 0) {
                throw new InputException(file + " is not text; " + ForeignResults.KNOWN);
            }
        }
        List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
        if (lines.stream().allMatch(String::isBlank)) {
            throw new InputException(file + " is empty; was the benchmark's output written there?");
        }
        return new ResultText(file.toString(), lines);
    }

    private static String reason(IOException failure) {
        return failure instanceof java.nio.file.NoSuchFileException
                ? "there is no such file"
                : String.valueOf(failure.getMessage());
    }

    private static InputStream opened(InputStream file) throws IOException {
        byte[] whole;
        try (file) {
            whole = file.readNBytes(LONGEST + 1);
        }
        InputStream bytes = new ByteArrayInputStream(whole);
        if (begins(whole, 0x1f, 0x8b)) {
            return new GZIPInputStream(bytes);
        }
        if (begins(whole, 0xfd, '7', 'z', 'X', 'Z', 0)) {
            return new XZInputStream(bytes);
        }
        if (begins(whole, 0x28, 0xb5, 0x2f, 0xfd)) {
            return new ZstdInputStream(bytes);
        }
        return bytes;
    }

    private static boolean begins(byte[] bytes, int... magic) {
        if (bytes.length < magic.length) {
            return false;
        }
        for (int i = 0; i < magic.length; i++) {
            if ((bytes[i] & 0xff) != magic[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether any line contains a text. */
    boolean mentions(String text) {
        return lines.stream().anyMatch(line -> line.contains(text));
    }

    /** File and line, from 1, for a message. */
    String place(int line) {
        return name + ":" + line;
    }

    /**
     * A number of a line.
     *
     * @param line from 1
     * @throws InputException not a number, or not finite
     */
    double number(String text, int line) {
        try {
            double number = Double.parseDouble(text);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new InputException(place(line) + ": '" + text + "' is not a number that can be compared");
    }
}
