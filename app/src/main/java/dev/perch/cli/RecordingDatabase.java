package dev.perch.cli;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditOptions;
import dev.perch.audit.WakeupConsumer;
import dev.perch.model.BothEvents;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.store.Database;
import dev.perch.store.RecordingTables;
import dev.perch.store.Store;
import dev.perch.store.StoreException;
import dev.perch.store.StoredEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;

/** Reads recordings into a database. */
final class RecordingDatabase {
    private RecordingDatabase() {}

    /**
     * Reads all of a recording through an audit and makes tables of it.
     *
     * @param wanted names of the tables; the others are not made
     */
    static void read(
            String file, RecordingOptions options, Set<String> wanted, Database database, Surroundings surroundings) {
        try (RecordingInput.Opened opened = options.open(file, surroundings)) {
            AuditOptions auditOptions = options.audit(opened);
            TaskNames names = new TaskNames();
            Audit audit = new Audit(auditOptions, names);
            RecordingTables tables = new RecordingTables(database.scratch(), wanted);
            try (tables) {
                WakeupConsumer wakeups = tables.wakeups(audit.tasks(), auditOptions.topology());
                if (wakeups != null) {
                    audit.addConsumer(wakeups);
                }
                SchedEvents events = tables.events(names);
                RecordingInput.read(
                        opened,
                        audit,
                        events == null ? audit.events() : new BothEvents(audit.events(), events),
                        names,
                        surroundings);
                tables.finish(audit.finish());
            }
            database.addRecording(tables);
        } catch (IOException | UncheckedIOException e) {
            throw StoreException.noRoom(database.scratch(), e);
        }
    }

    /**
     * The file of a recording: a file there is, or the stored events of a run, of which the machine is known too.
     *
     * @param name a file, {@code -} for standard input, or a run as in {@link Store#events}
     */
    static String file(String name, RecordingOptions options, Store store) {
        if (isFile(name) || !store.has(name.replaceFirst("/[^/]*$", ""))) {
            return name;
        }
        StoredEvents events = store.events(name);
        options.machineUnlessGiven(events.machine());
        return events.file().toString();
    }

    /** Whether a name is that of a file and so not of a run. */
    static boolean isFile(String name) {
        try {
            return name.equals("-") || Files.exists(Path.of(name)) && !Files.isDirectory(Path.of(name));
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
