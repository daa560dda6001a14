package dev.kvorum.e2e.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** A file of an image as a file of this machine, so that containers of another image can mount it. */
final class LibraryOfImage {
    private LibraryOfImage() {}

    /** Copies it into the directory, under its own name. */
    static void copy(String image, String file, Path directory) {
        String id = Engine.docker()
                .createContainerCmd(image)
                .withLabels(Engine.labels())
                .withCmd("true")
                .exec()
                .getId();
        try (InputStream copied =
                        Engine.docker().copyArchiveFromContainerCmd(id, file).exec();
                TarArchiveInputStream entries = new TarArchiveInputStream(copied)) {
            if (entries.getNextEntry() == null) {
                throw new IllegalStateException(image + " has no " + file);
            }
            Files.copy(
                    entries,
                    directory.resolve(Path.of(file).getFileName().toString()),
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Engine.docker().removeContainerCmd(id).withForce(true).exec();
        }
    }
}
