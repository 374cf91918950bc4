package dev.perch.store;

import java.nio.file.Path;

/**
 * The events of one row of a stored run.
 *
 * @param file a recording
 * @param machine name of the machine it was run on
 */
public record StoredEvents(Path file, String machine) {}
