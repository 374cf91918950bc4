package dev.perch.workloads;

import dev.perch.model.InputException;
import dev.perch.sim.workload.DescribedWorkload;
import dev.perch.sim.workload.WorkloadItem;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Workloads in files: rt-app's JSON, or Perch's own YAML where the name ends in {@code .yaml} or {@code .yml}. */
public final class WorkloadFiles {
    private WorkloadFiles() {}

    /**
     * The items of an expression with what their files say.
     *
     * @throws InputException a file that is missing, broken or not supported; with the line
     */
    public static List<WorkloadItem> read(List<WorkloadItem> items) {
        List<WorkloadItem> read = new ArrayList<>();
        for (WorkloadItem item : items) {
            boolean unread = item.isFile() && item.described().isEmpty();
            read.add(unread ? item.describedBy(read(item.name())) : item);
        }
        return List.copyOf(read);
    }

    /**
     * What a file says.
     *
     * @throws InputException as {@link #read(List)}
     */
    public static DescribedWorkload read(String file) {
        return parse(file, text(file));
    }

    /**
     * What a text says.
     *
     * @param file what messages and the workload are called; its ending says the format
     * @throws InputException as {@link #read(List)}
     */
    public static DescribedWorkload parse(String file, String text) {
        boolean yaml = file.endsWith(".yaml") || file.endsWith(".yml");
        return yaml ? YamlWorkload.parse(file, text) : RtAppFile.parse(file, text);
    }

    private static String text(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (NoSuchFileException e) {
            throw new InputException("there is no workload file " + file, e);
        } catch (CharacterCodingException e) {
            throw new InputException(file + " is not UTF-8 text", e);
        } catch (IOException | InvalidPathException e) {
            throw new InputException(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
