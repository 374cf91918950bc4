package dev.perch.host.record;

import java.util.List;

/**
 * What a file tells of its making.
 *
 * @param version of Perch
 * @param command what the user called, in words
 */
public record RecordingNote(String version, List<String> command) {
    public RecordingNote {
        command = List.copyOf(command);
    }
}
