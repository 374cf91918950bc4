package dev.perch.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Chromium without a window, driven by its DevTools protocol over the WebSocket that Java has anyway: what a library for it (Playwright:
 * 197 MB) would do here is a hundred lines.
 */
final class Browser implements AutoCloseable {
    private static final long SECONDS = 60;
    private static final JsonMapper JSON = new JsonMapper();

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final WebSocket socket;
    private int messages;

    /** The program, if it is installed. */
    static Optional<Path> find() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
            for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
                Path program = Path.of(folder, name);
                if (!folder.isEmpty() && Files.isExecutable(program)) {
                    return Optional.of(program);
                }
            }
        }
        return Optional.empty();
    }

    /** @param folder for its profile, empty */
    Browser(Path program, Path folder) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless=new",
                "--disable-gpu",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + folder,
                "--window-size=1100,900"));
        if (System.getProperty("user.name").equals("root")) {
            command.add("--no-sandbox");
        }
        command.add("about:blank");
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        String target = target(port(folder));
        socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(target), new Listener())
                .get(SECONDS, TimeUnit.SECONDS);
        for (String domain : List.of("Page", "Runtime", "Log", "Network", "Accessibility")) {
            call(domain + ".enable", Map.of());
        }
    }

    private String port(Path folder) throws Exception {
        Path file = folder.resolve("DevToolsActivePort");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() < end && process.isAlive()) {
            if (Files.exists(file) && Files.readAllLines(file).size() > 1) {
                return Files.readAllLines(file).getFirst();
            }
            Thread.sleep(50);
        }
        throw new IllegalStateException("Chromium did not begin: " + Files.readString(folder.resolve("log")));
    }

    private String target(String port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                .build();
        for (JsonNode target : JSON.readTree(
                client.send(request, HttpResponse.BodyHandlers.ofString()).body())) {
            if (target.path("type").asString().equals("page")) {
                return target.path("webSocketDebuggerUrl").asString();
            }
        }
        throw new IllegalStateException("Chromium has no page");
    }

    /** Calls a method of the protocol and waits for its result. */
    JsonNode call(String method, Map<String, ?> parameters) throws Exception {
        int id = ++messages;
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        ObjectNode message = JSON.createObjectNode();
        message.put("id", id).put("method", method).set("params", JSON.valueToTree(parameters));
        socket.sendText(JSON.writeValueAsString(message), true).get(SECONDS, TimeUnit.SECONDS);
        JsonNode whole = answer.get(SECONDS, TimeUnit.SECONDS);
        if (whole.has("error")) {
            throw new IllegalStateException(method + ": " + whole.path("error"));
        }
        return whole.path("result");
    }

    /** Opens a file and waits until it is loaded. */
    void open(Path file) throws Exception {
        events.clear();
        call("Page.navigate", Map.of("url", file.toUri().toString()));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (events("Page.loadEventFired").isEmpty()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(file + " was not loaded");
            }
            Thread.sleep(20);
        }
    }

    /** The value of a JavaScript expression. */
    JsonNode evaluate(String expression) throws Exception {
        JsonNode result =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + result.path("exceptionDetails"));
        }
        return result.path("result").path("value");
    }

    /** Presses and lets go of a key. */
    void press(String key, int code) throws Exception {
        String text = key.equals("Enter") ? "\r" : "";
        call(
                "Input.dispatchKeyEvent",
                Map.of(
                        "type",
                        text.isEmpty() ? "rawKeyDown" : "keyDown",
                        "key",
                        key,
                        "windowsVirtualKeyCode",
                        code,
                        "text",
                        text));
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", code));
    }

    /** Clicks so many times at once. */
    void click(double x, double y, int times) throws Exception {
        for (int i = 1; i <= times; i++) {
            for (String type : List.of("mousePressed", "mouseReleased")) {
                call(
                        "Input.dispatchMouseEvent",
                        Map.of("type", type, "x", x, "y", y, "button", "left", "clickCount", i));
            }
        }
    }

    /** What the page looks to be: the medium {@code screen} or {@code print}, the scheme {@code light} or {@code dark}. */
    void show(String medium, String scheme) throws Exception {
        call(
                "Emulation.setEmulatedMedia",
                Map.of("media", medium, "features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** The events of a kind since the page was opened. */
    List<JsonNode> events(String method) {
        return events.stream()
                .filter(event -> event.path("method").asString().equals(method))
                .map(event -> event.path("params"))
                .toList();
    }

    @Override
    public void close() {
        socket.sendText("{\"id\":0,\"method\":\"Browser.close\"}", true);
        process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
        socket.abort();
        client.close();
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        process.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join();
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                JsonNode message = JSON.readTree(text.toString());
                text.setLength(0);
                if (message.has("id")) {
                    CompletableFuture<JsonNode> answer =
                            answers.remove(message.path("id").asInt());
                    if (answer != null) {
                        answer.complete(message);
                    }
                } else {
                    events.add(message);
                }
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }
}
