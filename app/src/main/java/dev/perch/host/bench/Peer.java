package dev.perch.host.bench;

import dev.perch.host.linux.TaskUse;
import dev.perch.host.linux.ThisThread;
import dev.perch.model.CpuMask;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The second task of a benchmark in a process of its own: reads one request a line from standard input and answers one line on standard output.
 * It ends with its input, so that it never outlives the process that started it.
 *
 * <p>A request is {@code KIND CPUS ADDRESS}, KIND that of a link or {@value #YIELD}, CPUS {@code -} for no pinning; the answer is {@code done} with the thread's voluntary and
 * involuntary switches and its migrations, or {@code failed} with the reason.
 */
final class Peer {
    /** The request of which ADDRESS is the file of a {@link YieldLoop}. */
    static final String YIELD = "YIELD";

    private Peer() {}

    /** Without arguments. */
    public static void main(String[] args) throws IOException {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String request = requests.readLine(); request != null; request = requests.readLine()) {
            String[] words = request.split(" ", 3);
            answerInTheBackground(words[0], words[1], words[2]);
        }
        // Whoever asked is gone, and the other end with it: no answer is wanted any more.
        Runtime.getRuntime().halt(0);
    }

    private static void answerInTheBackground(String kind, String cpus, String address) {
        Thread end = new Thread(() -> System.out.println(answer(kind, cpus, address)), "peer");
        end.setDaemon(true);
        end.start();
    }

    private static String answer(String kind, String cpus, String address) {
        try {
            if (!cpus.equals("-")) {
                ThisThread.setAffinity(CpuMask.parse(cpus));
            }
            TaskUse use = kind.equals(YIELD) ? yieldUntilStopped(address) : answerUntilStopped(kind, address);
            return "done " + use.voluntarySwitches() + ' ' + use.involuntarySwitches() + ' ' + use.migrations();
        } catch (RuntimeException e) {
            return "failed " + e.getMessage();
        }
    }

    private static TaskUse answerUntilStopped(String kind, String address) {
        return PingPong.answerUntilStopped(LinkKind.valueOf(kind), address);
    }

    private static TaskUse yieldUntilStopped(String address) {
        return new YieldLoop(Path.of(address)).runUntilStopped();
    }
}
