package dev.perch.cli;

/** Entry point of the command {@code perch}. */
public final class Main {

    private Main() {}

    /** @param args a verb and its arguments */
    public static void main(String[] args) {
        System.err.println("usage: perch VERB ...");
        System.exit(args.length == 0 ? 0 : 2);
    }
}
