package dev.perch.cli;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditOptions;
import dev.perch.lab.recordings.RecordingBlocks;
import dev.perch.lab.recordings.RecordingComparison;
import dev.perch.lab.recordings.RecordingJson;
import dev.perch.lab.recordings.RecordingProfile;
import dev.perch.lab.recordings.RecordingTable;
import dev.perch.lab.results.RatioTable;
import dev.perch.machines.Machines;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.TaskNames;
import dev.perch.trace.Recording;
import dev.perch.trace.RecordingHead;
import dev.perch.trace.RecordingSummary;
import dev.perch.trace.Recordings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares two recordings: audits each and sets what it finds side by side. */
final class RecordingComparisonRun {
    private final Surroundings surroundings;
    private final RecordingComparisonOptions recordingOptions;
    private final RatioTable.Options options;

    RecordingComparisonRun(
            Surroundings surroundings, RecordingComparisonOptions recordingOptions, RatioTable.Options options) {
        this.surroundings = surroundings;
        this.recordingOptions = recordingOptions;
        this.options = options;
    }

    /** @throws InputException not two, or one without a wakeup */
    void print(List<ResultInput> recordings, boolean json) {
        if (recordings.size() != 2) {
            throw new InputException("recordings are compared two at a time; there "
                    + (recordings.size() == 1 ? "is 1" : "are " + recordings.size()));
        }
        List<String> remarks = new ArrayList<>();
        RecordingBlocks first = read(recordings.getFirst(), remarks);
        RecordingBlocks second = read(recordings.getLast(), remarks);
        RecordingComparison comparison =
                new RecordingComparison(first, second, options.confidence(), options.randomSeed());
        if (json) {
            Map<String, Object> document = RecordingJson.of(comparison);
            document.put("remarks", remarks);
            surroundings.out().print(JsonText.write(document));
        } else {
            RecordingTable.lines(comparison).forEach(surroundings.out()::println);
            remarks.forEach(surroundings.out()::println);
        }
    }

    private RecordingBlocks read(ResultInput input, List<String> remarks) {
        Machine machine = recordingOptions.machine == null
                ? null
                : Machines.find(recordingOptions.machine, surroundings.home().get());
        Recording recording = Recordings.open(input.paths().getFirst());
        RecordingHead head;
        try {
            head = recording.head();
        } catch (RuntimeException e) {
            recording.close();
            throw e;
        }
        try (RecordingInput.Opened opened = new RecordingInput.Opened(
                recording, head, machine == null ? head.topology() : machine.topology(), machine)) {
            AuditOptions auditOptions = AuditOptions.of(opened.topology())
                    .withModel(machine == null ? null : machine.model())
                    .withMachineName(opened.machineName())
                    .withAffinity(head.affinities())
                    .withFilter(recordingOptions.comm, -1);
            TaskNames names = new TaskNames();
            Audit audit = new Audit(auditOptions, names);
            RecordingProfile profile = new RecordingProfile();
            audit.addConsumer(profile);
            RecordingSummary summary = RecordingInput.read(opened, audit, names, surroundings);
            RecordingBlocks blocks = profile.finish(input.name(), audit.finish());
            if (blocks.wakeupCount() == 0) {
                throw new InputException(input.paths().getFirst() + " holds no wakeups"
                        + (recordingOptions.comm.isEmpty() ? "" : " of or by " + recordingOptions.comm)
                        + "; there is nothing to compare");
            }
            if (opened.topology() == null) {
                remarks.add(input.name() + ": the machine's topology is not known, so many wakeups cannot be judged;"
                        + " name it with --machine");
            }
            for (Map<String, Object> defect : RecordingInput.defects(summary)) {
                remarks.add(input.name() + ": " + defect.get("severity") + ": " + defect.get("kind") + " ("
                        + defect.get("count") + "): " + defect.get("touches"));
            }
            return blocks;
        }
    }
}
