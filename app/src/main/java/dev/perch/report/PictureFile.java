package dev.perch.report;

import dev.perch.model.InputException;
import dev.perch.report.drawing.Drawing;
import dev.perch.report.drawing.PngWriter;
import dev.perch.report.drawing.SvgWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** A file that a report or a chart is written to: whole or not at all, and refused before anything has been run. */
public final class PictureFile {
    private final String option;
    private final Path file;

    /**
     * @param option for messages, such as {@code --report}
     * @param name of the file
     * @param endings the file's name ends in one of these
     * @throws InputException a name that cannot be a file, has another ending, or lies in a folder that is not there
     */
    public PictureFile(String option, String name, String... endings) {
        this.option = option;
        try {
            file = Path.of(name);
        } catch (InvalidPathException e) {
            throw new InputException(option + ": '" + name + "' is not a file name: " + e.getReason(), e);
        }
        boolean fits = false;
        for (String ending : endings) {
            fits |= name.toLowerCase(Locale.ROOT).endsWith(ending);
        }
        if (!fits) {
            throw new InputException(
                    option + " cannot be '" + name + "'; name a file that ends in " + String.join(" or ", endings));
        }
        if (Files.isDirectory(file)) {
            throw new InputException(option + ": " + file + " is a folder; name a file");
        }
        Path folder = folder();
        if (!Files.isDirectory(folder)) {
            throw new InputException(option + ": there is no folder " + folder + "; make it first");
        }
        if (!Files.isWritable(folder)) {
            throw new InputException(
                    option + ": the folder " + folder + " cannot be written to; name a file elsewhere");
        }
    }

    private Path folder() {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }

    /** Writes a page. */
    public void write(String page) {
        write(page.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a drawing, as PNG if the name ends so, else as SVG. */
    public void write(Drawing drawing) {
        boolean png = file.toString().toLowerCase(Locale.ROOT).endsWith(".png");
        write(png ? PngWriter.file(drawing) : SvgWriter.file(drawing).getBytes(StandardCharsets.UTF_8));
    }

    private void write(byte[] bytes) {
        Path temporary = folder().resolve("." + file.getFileName() + ".part");
        try {
            Files.write(temporary, bytes);
            move(temporary);
        } catch (IOException e) {
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException second) {
                e.addSuppressed(second);
            }
            throw new IllegalStateException(option + ": cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private void move(Path temporary) throws IOException {
        try {
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
