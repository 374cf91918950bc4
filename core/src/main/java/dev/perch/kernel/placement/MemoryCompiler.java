package dev.perch.kernel.placement;

import dev.perch.model.InputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles one Java source against this program's own classes, and loads what comes of it; nothing is written to disk. */
final class MemoryCompiler {
    private final String file;
    private final Map<String, ByteArrayOutputStream> compiled = new TreeMap<>();
    private final Loader loader = new Loader();

    /**
     * @param file the source's name, for messages; its last part names the public class
     * @throws InputException if it does not compile: the compiler's first message with file and line, and how many more there are
     */
    MemoryCompiler(String file, String source) {
        this.file = file;
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new InputException("policy " + file + " cannot be compiled: this Java has no compiler; use a JDK");
        }
        DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
        try (JavaFileManager files =
                new Output(compiler.getStandardFileManager(messages, Locale.ROOT, StandardCharsets.UTF_8))) {
            boolean done = compiler.getTask(
                            null,
                            files,
                            messages,
                            List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path", "")),
                            null,
                            List.of(new Source(file, source)))
                    .call();
            if (!done) {
                throw error(messages.getDiagnostics());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private InputException error(List<Diagnostic<? extends JavaFileObject>> messages) {
        List<Diagnostic<? extends JavaFileObject>> errors = messages.stream()
                .filter(message -> message.getKind() == Diagnostic.Kind.ERROR)
                .toList();
        if (errors.isEmpty()) {
            return new InputException("policy " + file + " does not compile");
        }
        Diagnostic<? extends JavaFileObject> first = errors.getFirst();
        String line = first.getLineNumber() == Diagnostic.NOPOS ? "" : ":" + first.getLineNumber();
        String text = first.getMessage(Locale.ROOT)
                .lines()
                .map(String::strip)
                .reduce((a, b) -> a + "; " + b)
                .orElse("");
        int more = errors.size() - 1;
        return new InputException("policy " + file + line + ": " + text
                + (more == 0 ? "" : " (and " + more + (more == 1 ? " more error)" : " more errors)")));
    }

    /** The compiled classes, nested ones too, by name. */
    List<Class<?>> classes() {
        List<Class<?>> classes = new ArrayList<>();
        for (String name : compiled.keySet()) {
            try {
                classes.add(Class.forName(name, false, loader));
            } catch (ClassNotFoundException | LinkageError e) {
                throw new InputException(
                        "policy " + file + ": class " + name + " cannot be loaded: " + e.getMessage(), e);
            }
        }
        return classes;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("memory:///" + encoded(file)), Kind.SOURCE);
            this.text = text;
        }

        private static String encoded(String file) {
            String name = String.valueOf(Path.of(file).getFileName());
            return java.net.URLEncoder.encode(name, StandardCharsets.UTF_8);
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private final class Output extends ForwardingJavaFileManager<JavaFileManager> {
        Output(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + kind.extension), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    compiled.put(name, bytes);
                    return bytes;
                }
            };
        }
    }

    private final class Loader extends ClassLoader {
        Loader() {
            super(Policy.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            ByteArrayOutputStream bytes = compiled.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] code = bytes.toByteArray();
            return defineClass(name, code, 0, code.length);
        }
    }
}
