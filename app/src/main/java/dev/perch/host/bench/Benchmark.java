package dev.perch.host.bench;

import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What can be measured on the host, mostly under the names that simulated workloads have.
 *
 * <p>Units: a round, there and back, is one operation or transaction, as for perf bench sched pipe and netperf TCP_RR; messaging tells the
 * time from the start to the end of its last task, as perf bench sched messaging does.
 */
public enum Benchmark {
    PIPE("two pipes", Optional.of(LinkKind.PIPE), "us/op"),
    FUTEX("futexes in shared memory", Optional.of(LinkKind.FUTEX), "us/op"),
    SOCKETPAIR("a pair of Unix-domain sockets", Optional.of(LinkKind.SOCKETPAIR), "us/op"),
    TCP_RR("a TCP connection over loopback", Optional.of(LinkKind.TCP_RR), "transactions/s"),
    MESSAGING("groups of senders and receivers", Optional.empty(), "s");

    private final String title;
    private final Optional<LinkKind> link;
    private final String unit;

    Benchmark(String title, Optional<LinkKind> link, String unit) {
        this.title = title;
        this.link = link;
        this.unit = unit;
    }

    /** What its tasks talk through, in words. */
    public String title() {
        return title;
    }

    /** Of its result. */
    public String unit() {
        return unit;
    }

    /** The link of its two tasks; none for messaging, which has more than two. */
    public Optional<LinkKind> link() {
        return link;
    }

    /** The name on the command line, such as {@code tcp-rr}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The simulated workload that does the same, mostly of the same name; {@code futex} is another one there. */
    public String workload() {
        return this == FUTEX ? "futex-pair" : word();
    }

    /** @throws InputException if there is none of this name */
    public static Benchmark of(String word) {
        List<String> words = Arrays.stream(values()).map(Benchmark::word).toList();
        int at = words.indexOf(word);
        if (at < 0) {
            throw new InputException("there is no benchmark '" + word + "'" + Nearest.hint(word, words));
        }
        return values()[at];
    }
}
