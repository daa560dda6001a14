package dev.kvorum.node.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The project's files under another directory, so that a cluster of {@code make run} does not meet one that a developer runs. */
public final class Checkout implements AutoCloseable {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> NEEDED =
            List.of("Makefile", ".mvn", "pom.xml", "topology", "control", "history", "node", "load");
    private static final int NODES_MAX = 4;

    private final Path directory;
    private final int port = freePort();
    private final Map<String, String> environment = new HashMap<>();

    /** @param directory an empty one */
    public Checkout(Path directory) throws IOException {
        this.directory = directory;
        for (String name : NEEDED) {
            Files.createSymbolicLink(directory.resolve(name), PROJECT.resolve(name));
        }
        environment.put("JAVA_HOME", System.getProperty("java.home"));
    }

    /** The client port of the first node. Those of the others, and the ports of peers and management, lie above. */
    public int port() {
        return port;
    }

    /** A file of the project. */
    public static Path file(String name) {
        return PROJECT.resolve(name);
    }

    /** Runs a program of this shell text instead of Java. */
    public Checkout withJava(String program) throws IOException {
        Path home = Files.createDirectories(directory.resolve("jdk"));
        Path programs = Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.0\"\n");
        for (String name : List.of("java", "javac")) {
            Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + program + "\n");
            if (!file.toFile().setExecutable(true)) {
                throw new IOException(file + " can't be made executable");
            }
        }
        environment.put("JAVA_HOME", home.toString());
        return this;
    }

    /** With an environment variable. */
    public Checkout with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** {@code make} with this target and variables. It takes the jar as it is: whether that is up to date is not asked. */
    public String make(String words) {
        return "make --old-file=node/target/kvorum-node.jar " + words;
    }

    /** Starts a command in a terminal. */
    public Terminal terminal(String command) {
        return new Terminal(directory, environment, command);
    }

    /** Runs a command to its end, without a terminal, and returns what it writes. */
    public String run(String command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command);
        builder.environment().putAll(environment);
        Process process =
                builder.directory(directory.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** The nodes of the cluster that runs, as far as they have been started. */
    public List<ProcessHandle> nodes() throws IOException {
        List<ProcessHandle> nodes = new ArrayList<>();
        for (Path cluster : files(directory.resolve(".run"), "cluster-*")) {
            for (Path file : files(cluster, "n*.pid")) {
                String id = read(file).strip();
                if (!id.isEmpty()) { // It is being written.
                    ProcessHandle.of(Long.parseLong(id)).ifPresent(nodes::add);
                }
            }
        }
        return nodes;
    }

    /** Asks nothing of the files themselves: others come and go. */
    private static List<Path> files(Path directory, String glob) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
            stream.forEach(files::add);
        }
        files.sort(Comparator.naturalOrder());
        return files;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes the links, so that nothing follows them. */
    @Override
    public void close() throws IOException {
        for (String name : NEEDED) {
            Files.delete(directory.resolve(name));
        }
    }

    private static int freePort() {
        return Stream.generate(Ports::free)
                .filter(first -> IntStream.range(0, NODES_MAX)
                        .flatMap(i -> IntStream.of(first + i, first + 1000 + i, first + 1100 + i))
                        .allMatch(Checkout::isFree))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isFree(int port) {
        try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
