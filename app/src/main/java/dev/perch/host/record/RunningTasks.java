package dev.perch.host.record;

import dev.perch.host.linux.KernelFile;
import dev.perch.host.linux.PidNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The names of the tasks that run already when a recording begins; for a perf.data as the records by which the kernel tells of a new name
 * ({@code PERF_RECORD_COMM}). perf does the same (tools/perf/util/synthetic-events.c).
 *
 * <p>Limitation: in a PID namespace of its own, as in most containers, proc has other numbers than the events; then there are no names.
 */
final class RunningTasks {
    private static final int RECORD_COMM = 3;
    private static final int HEADER = 16;

    private RunningTasks() {}

    private interface Visitor {
        /** @param name with a line feed at its end */
        void visit(int process, int task, byte[] name);
    }

    /** Records for all tasks of {@code proc}; tasks that come or go meanwhile may be missing. */
    static byte[] names(Path proc) {
        ByteSink records = new ByteSink();
        visit(proc, (process, task, name) -> add(records, process, task, name));
        return records.toBytes();
    }

    /** Adds the names of all tasks of {@code proc}, by their numbers. */
    static void addNames(Path proc, Map<Integer, String> names) {
        visit(proc, (_, task, name) -> names.put(task, new String(name, StandardCharsets.UTF_8).stripTrailing()));
    }

    private static void visit(Path proc, Visitor visitor) {
        if (!PidNamespace.isFirst()) {
            return;
        }
        for (Path process : numbered(proc)) {
            for (Path task : numbered(process.resolve("task"))) {
                byte[] name = KernelFile.bytes(task.resolve("comm"));
                if (name.length > 1) {
                    visitor.visit(number(process), number(task), name);
                }
            }
        }
    }

    /** @param name as proc has it, with a line feed at its end */
    private static void add(ByteSink records, int process, int task, byte[] name) {
        int padded = (name.length + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
        name[name.length - 1] = 0;
        records.u32(RECORD_COMM).u16(0).u16(HEADER + padded + PerfAttribute.TRAILER_SIZE);
        records.u32(process).u32(task).raw(name).zeros(padded - name.length);
        // The time 0: before everything.
        records.zeros(PerfAttribute.TRAILER_SIZE);
    }

    private static Iterable<Path> numbered(Path folder) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "[0-9]*")) {
            entries.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            // the process has ended
        }
        return found;
    }

    private static int number(Path folder) {
        return Integer.parseInt(folder.getFileName().toString());
    }
}
