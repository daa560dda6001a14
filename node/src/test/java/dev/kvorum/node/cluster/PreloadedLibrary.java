package dev.kvorum.node.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A library in C that is loaded into a process before the system's. Needs a C compiler, and nothing else. */
final class PreloadedLibrary {
    private PreloadedLibrary() {}

    /**
     * Compiles it.
     *
     * @param name of the source, a resource beside this class, without its ending
     * @param directory where source and library are put
     * @return the library, for {@code LD_PRELOAD}
     */
    static Path compile(String name, Path directory) throws IOException {
        Path source = directory.resolve(name + ".c");
        Path library = directory.resolve(name + ".so");
        try (InputStream text = Objects.requireNonNull(PreloadedLibrary.class.getResourceAsStream(name + ".c"))) {
            Files.copy(text, source);
        }
        List<String> command =
                List.of("cc", "-shared", "-fPIC", "-nostdlib", "-o", library.toString(), source.toString());
        Process compiler;
        try {
            compiler = new ProcessBuilder(command).inheritIO().start();
        } catch (IOException e) {
            assumeTrue(false, "this needs a C compiler: apt-get install gcc");
            throw e;
        }
        if (compiler.onExit().join().exitValue() != 0) {
            throw new IOException(source + " can't be compiled");
        }
        return library;
    }
}
