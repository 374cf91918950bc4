package dev.perch.cli;

import dev.perch.lab.ExperimentResult;
import dev.perch.lab.RowResult;
import dev.perch.store.NewRun;
import dev.perch.store.Store;
import dev.perch.store.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/**
 * Stores the result of a run. The folder is made before the run begins, so that a store that cannot be written is known at once and not
 * after an hour.
 */
final class ResultKeeper implements AutoCloseable {
    private final Surroundings surroundings;
    private final Store store;
    private final boolean events;
    private final NewRun run;

    /** @throws StoreException the store cannot be written */
    ResultKeeper(Surroundings surroundings, Store store, boolean events) {
        this.surroundings = surroundings;
        this.store = store;
        this.events = events;
        run = store.begin();
    }

    /** Stores the result and says under which id. */
    void keep(ExperimentResult result) {
        if (events) {
            result.rows().forEach(row -> keepEvents(result, row));
        }
        String id = store.put(run, result, PerchCommand.Version.text());
        surroundings.err().println("stored as " + id + (result.isComplete() ? "" : ", incomplete"));
    }

    private void keepEvents(ExperimentResult result, RowResult row) {
        try (OutputStream file = run.file(Store.eventsFile(row.row().index()));
                OutputStream compressed = new GZIPOutputStream(file, 1 << 16)) {
            EventsFile.write(result.plan(), row.row(), result.randomSeed(), compressed);
        } catch (IOException | UncheckedIOException e) {
            throw StoreException.notStored(store.folder(), e);
        }
    }

    @Override
    public void close() {
        run.close();
    }
}
