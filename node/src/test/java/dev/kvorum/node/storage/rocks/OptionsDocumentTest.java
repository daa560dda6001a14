package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.config.Settings;
import dev.kvorum.node.config.StorageSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/** What the document says of RocksDB's options is what the database notes of itself when it is opened. */
class OptionsDocumentTest {
    private static final long MIB = 1 << 20;
    private static final Path DOCUMENT = Path.of("..", "docs", "operations.md");
    private static final Pattern FIXED = Pattern.compile("(?m)^\\| `(\\w+)` \\| `([^`]+)` \\|");
    private static final Pattern DERIVED = Pattern.compile("(?m)^\\| `(\\w+)` \\| [^|]+ \\| (\\d+)( MiB)? \\|");

    @TempDir
    Path directory;

    private static List<MatchResult> rows(Pattern pattern, String from, String to) throws IOException {
        String document = Files.readString(DOCUMENT);
        return pattern.matcher(document.substring(document.indexOf(from), document.indexOf(to)))
                .results()
                .toList();
    }

    /** The database's own options and those of the cells, as it has written them down. */
    private String options() throws IOException {
        StorageSettings settings = Settings.of(StorageSettings.class)
                .with("memory", DataSize.ofMegabytes(64))
                .with("openFiles", 1024)
                .get();
        RocksDatabase.open(directory, settings).close();
        try (Stream<Path> files = Files.list(directory)) {
            Path newest = files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
                    .max(Path::compareTo)
                    .orElseThrow();
            String all = Files.readString(newest);
            return all.substring(0, all.indexOf("[CFOptions \"notes\"]"));
        }
    }

    private static String valueOf(String options, String name) {
        return Pattern.compile("(?m)^ *" + name + "=(.*)$")
                .matcher(options)
                .results()
                .map(line ->
                        line.group(1).replaceFirst("^\\{id=([^;]*);.*", "$1").replaceFirst("(\\.\\d+?)0+$", "$1"))
                .findFirst()
                .orElse("nothing");
    }

    @Test
    void fixedOptionsAreThoseOfTheDocument() throws IOException {
        String options = options();

        assertThat(rows(FIXED, "These are fixed.", "## Overload"))
                .hasSizeGreaterThan(10)
                .allSatisfy(row -> assertThat(valueOf(options, row.group(1)))
                        .as(row.group(1))
                        .isEqualTo(row.group(2)));
    }

    @Test
    void derivedOptionsAreThoseOfTheDocument() throws IOException {
        String options = options();

        assertThat(rows(DERIVED, "### RocksDB's options", "These are fixed."))
                .hasSizeGreaterThanOrEqualTo(3)
                .allSatisfy(row -> {
                    long unit = row.group(3) == null ? 1 : MIB;
                    assertThat(valueOf(options, row.group(1)))
                            .as(row.group(1))
                            .isEqualTo("" + Long.parseLong(row.group(2)) * unit);
                });
        assertThat(Files.readString(DOCUMENT)).contains("| 5.6 to 8 MiB |");
        // Less than the most: that would be a memtable of which nothing was drawn.
        assertThat(Long.parseLong(valueOf(options, "write_buffer_size")))
                .isGreaterThanOrEqualTo(56L * MIB / 10)
                .isLessThan(8L * MIB);
    }
}
