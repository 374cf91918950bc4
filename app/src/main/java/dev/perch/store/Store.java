package dev.perch.store;

import dev.perch.lab.ExperimentResult;
import dev.perch.lab.results.ResultSet;
import dev.perch.model.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Results of runs on disk: a folder that holds a folder for each run, named by its id. In it are {@code run.json} with the description and
 * all numbers, and the tables of {@link RunTables}; once in place, it is never changed. Any number of processes may use a store at once.
 *
 * <p>Files and columns: docs/store.md.
 */
public final class Store {
    /** Names the newest run, as {@code @1} does. */
    public static final String LAST = "last";

    private static final String NTH = "@[1-9][0-9]{0,5}";

    private final Path folder;
    private final Clock clock;

    /** @param folder need not exist yet */
    public Store(Path folder) {
        this(folder, Clock.systemUTC());
    }

    Store(Path folder, Clock clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /**
     * Where runs are stored if nobody says otherwise: {@code perch/runs} in the data folder of the XDG Base Directory Specification, which
     * takes no relative paths.
     *
     * @param environment of the process
     * @param home of the user
     */
    public static Path defaultFolder(Map<String, String> environment, String home) {
        String data = environment.getOrDefault("XDG_DATA_HOME", "");
        Path base = data.startsWith("/") ? Path.of(data) : Path.of(home, ".local", "share");
        return base.resolve("perch").resolve("runs");
    }

    public Path folder() {
        return folder;
    }

    /**
     * Begins to store a run.
     *
     * @throws StoreException the folder cannot be made or written
     */
    public NewRun begin() {
        try {
            Leftovers.clean(folder);
            return NewRun.begin(folder, clock);
        } catch (IOException e) {
            throw StoreException.notStored(folder, e);
        }
    }

    /**
     * Stores a result.
     *
     * @param run what {@link #begin} gave
     * @param perch version of this program
     * @return the run's id
     * @throws StoreException it could not be stored; nothing of it is left when {@code run} is closed
     */
    public String put(NewRun run, ExperimentResult result, String perch) {
        StoredRun stored = StoredRun.of(result, perch, clock.instant());
        try {
            try (OutputStream document = run.file(RunDocument.FILE)) {
                document.write(RunDocument.write(stored));
            }
            RunTables.write(run, stored, result);
            RunFiles.copy(run, result);
        } catch (IOException | UncheckedIOException e) {
            throw StoreException.notStored(folder, e);
        }
        return run.put();
    }

    /**
     * Stores a run of which there is no more than {@link StoredRun} tells, such as one measured on a machine.
     *
     * @param run what {@link #begin} gave
     * @return the run's id
     * @throws StoreException it could not be stored; nothing of it is left when {@code run} is closed
     */
    public String put(NewRun run, StoredRun stored) {
        try {
            try (OutputStream document = run.file(RunDocument.FILE)) {
                document.write(RunDocument.write(stored));
            }
            RunTables.write(run, stored);
        } catch (IOException | UncheckedIOException e) {
            throw StoreException.notStored(folder, e);
        }
        return run.put();
    }

    /**
     * The file, in the folder of a run, with the events of a row's first repeat: a recording.
     *
     * @param row index of the row
     */
    public static String eventsFile(int row) {
        return "events/row-" + row + ".txt.gz";
    }

    /** The ids of all runs, newest first; none if there is no store yet. */
    public List<String> ids() {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> RunId.FORM.matcher(name).matches())
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (NotDirectoryException e) {
            throw new InputException("the store " + folder + " is a file; name a folder with --store", e);
        } catch (IOException e) {
            throw StoreException.failed("cannot read the store " + folder, e);
        }
    }

    /**
     * The id that a user means.
     *
     * @param name an id, or a beginning or end of it that no other has; {@code last} or {@code @1} for the newest, {@code @2} for the one
     *     before, and so on
     * @throws InputException there is none, or more than one
     */
    public String find(String name) {
        List<String> ids = ids();
        if (ids.isEmpty()) {
            throw new InputException("there is no stored run in " + folder + "; perch run stores one");
        }
        if (name.equals(LAST) || name.matches(NTH)) {
            int number = name.equals(LAST) ? 1 : Integer.parseInt(name.substring(1));
            if (number > ids.size()) {
                throw new InputException(
                        "there is no run " + name + ": only " + ids.size() + " are stored in " + folder);
            }
            return ids.get(number - 1);
        }
        if (ids.contains(name)) {
            return name;
        }
        List<String> fitting = ids.stream()
                .filter(id -> !name.isEmpty() && (id.startsWith(name) || id.endsWith(name)))
                .toList();
        if (fitting.size() == 1) {
            return fitting.getFirst();
        }
        throw new InputException(
                fitting.isEmpty()
                        ? "there is no run '" + name + "' in " + folder + "; perch runs lists them"
                        : "'" + name + "' begins or ends " + fitting.size() + " ids: "
                                + String.join(", ", fitting.subList(0, Math.min(3, fitting.size())))
                                + (fitting.size() > 3 ? ", …" : "") + "; write more of it");
    }

    /** Whether there is a run that a name stands for. */
    public boolean has(String name) {
        try {
            find(name);
            return true;
        } catch (InputException e) {
            return false;
        }
    }

    /**
     * What is kept of a run.
     *
     * @param id in full
     * @throws InputException it is damaged, or of a newer format
     */
    public StoredRun run(String id) {
        Path file = path(id).resolve(RunDocument.FILE);
        try {
            return RunDocument.read(Files.readAllBytes(file), file);
        } catch (NoSuchFileException e) {
            throw new InputException(file.getParent() + " is not of a stored run: it has no " + RunDocument.FILE, e);
        } catch (IOException e) {
            throw StoreException.failed("cannot read " + file, e);
        }
    }

    /**
     * The runs whose format this Perch reads, newest first.
     *
     * @param refused told why, for each of the others
     */
    public List<String> readable(Consumer<String> refused) {
        List<String> readable = new ArrayList<>();
        for (String id : ids()) {
            Path file = path(id).resolve(RunDocument.FILE);
            try (InputStream in = Files.newInputStream(file)) {
                RunDocument.checkFormat(in.readNBytes(RunDocument.HEAD), file);
                readable.add(id);
            } catch (NoSuchFileException e) {
                refused.accept(path(id) + " is not a stored run: it has no " + RunDocument.FILE);
            } catch (IOException e) {
                refused.accept("cannot read " + file + ": " + e.getMessage());
            } catch (InputException e) {
                refused.accept(String.valueOf(e.getMessage()));
            }
        }
        return readable;
    }

    /**
     * The recorded events of a row of a run.
     *
     * @param name as in {@link #find}; with a slash and the number of a row, from 0, if it is not the first
     * @throws InputException there is no such run or row, or its events were not stored
     */
    public StoredEvents events(String name) {
        int slash = name.lastIndexOf('/');
        String row = slash < 0 ? "0" : name.substring(slash + 1);
        String id = find(slash < 0 ? name : name.substring(0, slash));
        if (!row.matches("[0-9]{1,6}")) {
            throw new InputException("'" + row + "' is not the number of a row; write RUN/ROW, as in last/0");
        }
        int index = Integer.parseInt(row);
        Path file = path(id).resolve(eventsFile(index));
        if (!Files.exists(file)) {
            throw new InputException("run " + id + " holds no events of row " + row
                    + "; perch run --store-events stores those of each row's first repeat");
        }
        return run(id).rows().stream()
                .filter(stored -> stored.index() == index)
                .map(stored -> new StoredEvents(file, stored.machine()))
                .findFirst()
                .orElseThrow(() -> new InputException("run " + id + " has no row " + row));
    }

    /**
     * The numbers of a run.
     *
     * @param name as in {@link #find}
     * @throws InputException there is no such run, or it cannot be read
     */
    public ResultSet read(String name) {
        String id = find(name);
        return run(id).results(id, path(id).toString());
    }

    /** The folder of a run. */
    public Path path(String id) {
        return folder.resolve(id);
    }

    /** The file of a table of a run. */
    Path table(String id, String table) {
        return path(id).resolve(RunTables.file(table));
    }

    /**
     * Removes runs. Each is taken out of the list by one rename before it is deleted.
     *
     * @param ids in full
     */
    public void remove(List<String> ids) {
        for (String id : new ArrayList<>(ids)) {
            Path removed = folder.resolve(Leftovers.PREFIX + id);
            try {
                Files.move(path(id), removed, StandardCopyOption.ATOMIC_MOVE);
                Leftovers.delete(removed);
            } catch (IOException e) {
                throw StoreException.failed("cannot remove run " + id, e);
            }
        }
    }
}
