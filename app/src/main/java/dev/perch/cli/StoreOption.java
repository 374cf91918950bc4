package dev.perch.cli;

import dev.perch.model.InputException;
import dev.perch.store.Store;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store a verb works with. */
final class StoreOption {
    @Option(
            names = "--store",
            paramLabel = "DIR",
            description = "The folder of stored runs ($XDG_DATA_HOME/perch/runs, or ~/.local/share/perch/runs).")
    private @Nullable String folder;

    Store open(Surroundings surroundings) {
        if (folder == null) {
            return new Store(surroundings.store());
        }
        try {
            return new Store(Path.of(folder));
        } catch (InvalidPathException e) {
            throw new InputException("--store: '" + folder + "' is not a folder's name: " + e.getReason(), e);
        }
    }

    boolean isGiven() {
        return folder != null;
    }
}
