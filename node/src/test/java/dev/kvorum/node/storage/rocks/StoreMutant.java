package dev.kvorum.node.storage.rocks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A mistake in the store, to see that its histories show it. It is written down as those of the simulation are: what it is, a source, lines that stand there once, and lines that take their place.
 *
 * @param name of its file
 * @param words what the mistake is
 * @param sources the changed sources, by their names
 */
record StoreMutant(String name, String words, Map<Path, String> sources) {
    private static final Path MUTANTS = Path.of("src", "test", "mutants");
    private static final Path ROOT = Path.of("..");
    static final String UNCAUGHT = "uncaught/";
    private static final String ENDING = ".mutant";

    /** All there are; those that no seed has caught yet begin with {@value #UNCAUGHT}. */
    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.walk(MUTANTS)) {
            return files.map(file -> MUTANTS.relativize(file).toString())
                    .filter(name -> name.endsWith(ENDING))
                    .map(name -> name.substring(0, name.length() - ENDING.length()))
                    .sorted()
                    .toList();
        }
    }

    static StoreMutant read(String name) throws IOException {
        List<String> lines = Files.readAllLines(MUTANTS.resolve(name + ENDING));
        Path source = ROOT.resolve(lines.get(1));
        String before = joined(lines, '-');
        String text = Files.readString(source);
        int place = text.indexOf(before);
        if (before.isEmpty() || place < 0 || text.indexOf(before, place + 1) >= 0) {
            throw new IllegalStateException(source + " does not have these lines exactly once:\n" + before);
        }
        String changed = text.substring(0, place) + joined(lines, '+') + text.substring(place + before.length());
        return new StoreMutant(name, lines.getFirst(), Map.of(source, changed));
    }

    private static String joined(List<String> lines, char mark) {
        return lines.stream()
                .skip(2)
                .filter(line -> line.indexOf(mark) == 0)
                .map(line -> line.substring(1) + "\n")
                .collect(Collectors.joining());
    }

    /** Compiles it there. What that makes goes before other classes. */
    void compile(Path directory) throws IOException {
        JavaCompiler compiler =
                Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JRE without a compiler");
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-nowarn",
                "-parameters",
                "-d",
                directory.toString(),
                "-cp",
                System.getProperty("java.class.path")));
        Path changed = Files.createDirectories(directory.resolve("sources"));
        for (Map.Entry<Path, String> source : sources.entrySet()) {
            Path file = changed.resolve(Objects.requireNonNull(source.getKey().getFileName()));
            arguments.add(Files.writeString(file, source.getValue()).toString());
        }
        if (compiler.run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("the mutant " + name + " can't be compiled");
        }
    }

    /** The class path of this process, with the mutant before all else. */
    static List<String> classPath(Path directory) {
        return Stream.concat(
                        Stream.of(directory.toString()),
                        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator)))
                .toList();
    }
}
