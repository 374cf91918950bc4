package dev.perch.host.bench;

import dev.perch.host.linux.TaskUse;
import dev.perch.host.linux.ThisThread;
import dev.perch.model.CpuMask;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * The second end of a benchmark in a process of its own: reads one request a line from standard input and answers one line on standard output.
 * It ends with its input, so that it never outlives the process that started it.
 *
 * <p>A request is {@code KIND CPUS ADDRESS}, CPUS {@code -} for no pinning; the answer is {@code done} with the thread's voluntary and
 * involuntary switches and its migrations, or {@code failed} with the reason.
 */
final class Peer {
    private Peer() {}

    /** Without arguments. */
    public static void main(String[] args) throws IOException {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String request = requests.readLine(); request != null; request = requests.readLine()) {
            String[] words = request.split(" ", 3);
            answerInTheBackground(LinkKind.valueOf(words[0]), words[1], words[2]);
        }
        // Whoever asked is gone, and the other end with it: no answer is wanted any more.
        Runtime.getRuntime().halt(0);
    }

    private static void answerInTheBackground(LinkKind kind, String cpus, String address) {
        Thread end = new Thread(() -> System.out.println(answer(kind, cpus, address)), "peer");
        end.setDaemon(true);
        end.start();
    }

    private static String answer(LinkKind kind, String cpus, String address) {
        try {
            if (!cpus.equals("-")) {
                ThisThread.setAffinity(CpuMask.parse(cpus));
            }
            TaskUse use = PingPong.answerUntilStopped(kind, address);
            return "done " + use.voluntarySwitches() + ' ' + use.involuntarySwitches() + ' ' + use.migrations();
        } catch (RuntimeException e) {
            return "failed " + e.getMessage();
        }
    }
}
