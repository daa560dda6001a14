package dev.kvorum.node.storage.rocks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.springframework.util.FileSystemUtils;

/**
 * Runs the lives of stores, by hand, in the directory of this module: {@code StoreHistories FROM SEEDS DIRECTORY [MUTANT]}. What a seed has left that is not good stays in the directory, with its
 * history. With a mutant it ends with the first such seed. The exit code is 0 if all are good.
 */
final class StoreHistories {
    private static final int MUTANT = 3;

    private StoreHistories() {}

    public static void main(String[] words) throws IOException, InterruptedException {
        long from = Long.parseLong(words[0]);
        long end = from + Long.parseLong(words[1]);
        Path directory = Files.createDirectories(Path.of(words[2]));
        boolean isMutant = words.length > MUTANT;
        List<String> classPath = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        if (isMutant) {
            Path classes = Files.createDirectories(directory.resolve(words[MUTANT]));
            StoreMutant.read(words[MUTANT]).compile(classes);
            classPath = StoreMutant.classPath(classes);
        }
        int notGood = 0;
        for (long seed = from; seed < end && !(isMutant && notGood > 0); seed++) {
            notGood += run(seed, directory.resolve("seed-" + seed), classPath) ? 0 : 1;
        }
        System.exit(notGood == 0 ? 0 : 1);
    }

    private static boolean run(long seed, Path parent, List<String> classPath)
            throws IOException, InterruptedException {
        FileSystemUtils.deleteRecursively(parent);
        Files.createDirectories(parent);
        StoreLives lives = new StoreLives(parent, seed, classPath);
        long begun = System.nanoTime();
        List<String> wrong = lives.run();
        System.out.printf(
                "seed %d: %s, %d lines, %.1f s, %s%n",
                seed,
                lives,
                lives.lines().size(),
                (System.nanoTime() - begun) / 1e9,
                wrong.isEmpty() ? "good" : "not good");
        wrong.forEach(System.out::println);
        if (wrong.isEmpty()) {
            FileSystemUtils.deleteRecursively(parent);
        } else {
            Files.write(parent.resolve("history"), lives.lines());
        }
        return wrong.isEmpty();
    }
}
