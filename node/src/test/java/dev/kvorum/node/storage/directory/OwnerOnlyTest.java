package dev.kvorum.node.storage.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody else may put a link where the node is about to make a file. */
class OwnerOnlyTest {
    @TempDir
    Path directory;

    @Test
    void fileIsNotMadeWhereALinkLeads() throws IOException {
        Path victim = directory.resolve("victim");
        Path link = Files.createSymbolicLink(directory.resolve("link"), victim);

        assertThatThrownBy(() -> OwnerOnly.create(link)).isInstanceOf(FileAlreadyExistsException.class);

        assertThat(victim).doesNotExist();
    }

    @Test
    void fileOfSomebodyElseIsNotWritten() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "of somebody else");

        assertThatThrownBy(() -> OwnerOnly.create(file)).isInstanceOf(FileAlreadyExistsException.class);

        assertThat(file).hasContent("of somebody else");
    }
}
