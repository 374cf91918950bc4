package dev.perch.store;

import dev.perch.lab.ExperimentResult;
import java.nio.file.Path;

/** Stores a result again and again and prints each id: a child of tests, made to be killed. */
final class StoringProcess {
    private StoringProcess() {}

    public static void main(String[] args) {
        Store store = new Store(Path.of(args[0]));
        int times = Integer.parseInt(args[1]);
        ExperimentResult result = Results.of(2);
        // Once elsewhere, so that the JVM is warm and its parent kills it while it stores and not while it loads
        // classes.
        put(new Store(Path.of(args[0] + "-warm-up")), result);
        System.out.println("ready");
        for (int i = 0; i < times; i++) {
            System.out.println(put(store, result));
        }
    }

    private static String put(Store store, ExperimentResult result) {
        try (NewRun run = store.begin()) {
            return store.put(run, result, "test");
        }
    }
}
