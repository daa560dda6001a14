package dev.kvorum.simulation.mutant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where the sources of the project are: above the working directory, or in it. */
public record SourceTree(Path root) {
    private static final Path MUTANTS = Path.of("simulation", "mutants");
    private static final String ENDING = ".mutant";

    /** @throws IllegalStateException if they are not there */
    public static SourceTree find() {
        for (Path here = Path.of("").toAbsolutePath(); here != null; here = here.getParent()) {
            if (Files.isDirectory(here.resolve(MUTANTS))) {
                return new SourceTree(here);
            }
        }
        throw new IllegalStateException("no directory " + MUTANTS + " in or above "
                + Path.of("").toAbsolutePath() + ": mutants are made from the sources");
    }

    /** The names of all mutants, in their order. */
    public List<String> mutants() throws IOException {
        return mutants("");
    }

    /** The names of those in a directory beneath, in their order. */
    List<String> mutants(String directory) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve(MUTANTS).resolve(directory))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ENDING))
                    .map(name -> name.substring(0, name.length() - ENDING.length()))
                    .sorted()
                    .toList();
        }
    }

    /** The mutant of that name. */
    public Mutant mutant(String name) throws IOException {
        return Mutant.parse(name, Files.readAllLines(root.resolve(MUTANTS).resolve(name + ENDING)));
    }

    String read(String file) throws IOException {
        return Files.readString(root.resolve(file));
    }
}
