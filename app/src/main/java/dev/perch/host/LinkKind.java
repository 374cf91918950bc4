package dev.perch.host;

import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What two tasks talk through. */
enum LinkKind {
    /** Two pipes, as perf bench sched pipe has. */
    PIPE("two pipes"),
    /** Words in shared memory and the futex system call. */
    FUTEX("futexes in shared memory"),
    /** A connected pair of Unix-domain stream sockets. */
    SOCKETPAIR("a pair of Unix-domain sockets"),
    /** A TCP connection over loopback, as netperf TCP_RR has. */
    TCP_RR("a TCP connection over loopback");

    private final String title;

    LinkKind(String title) {
        this.title = title;
    }

    /** In words. */
    String title() {
        return title;
    }

    /** The name on the command line, such as {@code tcp-rr}. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @throws InputException if there is none of this name */
    static LinkKind of(String word) {
        List<String> words = Arrays.stream(values()).map(LinkKind::word).toList();
        int at = words.indexOf(word);
        if (at < 0) {
            throw new InputException("there is no benchmark '" + word + "'" + Nearest.hint(word, words));
        }
        return values()[at];
    }
}
