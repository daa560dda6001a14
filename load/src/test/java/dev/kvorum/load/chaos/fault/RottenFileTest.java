package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.chaos.fault.RottenFile.Damage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RottenFileTest {
    private static final int BYTES = 1000;

    @TempDir
    private Path cells;

    @BeforeEach
    void fill() throws IOException {
        for (String name : List.of(
                "000007.log", "000009.log", "000003.sst", "000005.sst", "MANIFEST-000004", "CURRENT", "LOG", "LOCK")) {
            Files.write(cells.resolve(name), new byte[BYTES]);
        }
        Files.write(cells.resolve("000011.log"), new byte[0]);
    }

    private RottenFile any(Damage damage) throws IOException {
        for (int chance = 0; chance < 100; chance++) {
            RottenFile file = RottenFile.choose(cells, chance).orElseThrow();
            if (file.damage() == damage) {
                return file;
            }
        }
        throw new AssertionError("a hundred choices have no " + damage);
    }

    @Test
    void everyDamageIsChosenOfAFileThatIsOfItsKind() throws IOException {
        Map<Damage, List<String>> names = IntStream.range(0, 300)
                .mapToObj(this::chosen)
                .collect(Collectors.groupingBy(
                        RottenFile::damage,
                        Collectors.mapping(file -> file.file().getFileName().toString(), Collectors.toList())));

        assertThat(names.keySet()).containsExactlyInAnyOrder(Damage.values());
        // One that is empty holds nothing, and an older one may be lost unnoticed.
        assertThat(names.get(Damage.LOG_BIT)).containsOnly("000009.log");
        assertThat(names.get(Damage.LOG_LOST)).containsOnly("000009.log");
        assertThat(names.get(Damage.TABLE_BIT)).containsOnly("000003.sst", "000005.sst");
        assertThat(names.get(Damage.TABLE_LOST)).containsOnly("000003.sst", "000005.sst");
        assertThat(names.get(Damage.MANIFEST_LOST)).containsOnly("MANIFEST-000004");
    }

    private RottenFile chosen(int chance) {
        try {
            return RottenFile.choose(cells, chance).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void oneBitFlipsNotAtTheEndsOfTheLog() throws IOException {
        RottenFile file = any(Damage.LOG_BIT);

        String words = file.rot();

        byte[] bytes = Files.readAllBytes(file.file());
        List<Integer> changed =
                IntStream.range(0, BYTES).filter(at -> bytes[at] != 0).boxed().toList();
        assertThat(changed).singleElement().satisfies(at -> {
            assertThat(Integer.bitCount(Byte.toUnsignedInt(bytes[at]))).isEqualTo(1);
            assertThat(at).isBetween(BYTES / 10, BYTES * 8 / 10);
            assertThat(words).isEqualTo("a bit flips in 000009.log, byte " + at + " of " + BYTES);
        });
    }

    @Test
    void lostFileIsGone() throws IOException {
        RottenFile file = any(Damage.TABLE_LOST);

        assertThat(file.rot()).isEqualTo(file.file().getFileName() + " is lost");

        assertThat(file.file()).doesNotExist();
    }

    /** A start reads all the rest, and a table that was compacted away is no danger any more. */
    @Test
    void onlyATableThatIsThereMayBeDamagedUnnoticed() throws IOException {
        RottenFile table = any(Damage.TABLE_BIT);

        assertThat(table.mayGoUnnoticed()).isTrue();
        assertThat(any(Damage.LOG_BIT).mayGoUnnoticed()).isFalse();
        Files.delete(table.file());
        assertThat(table.mayGoUnnoticed()).isFalse();
    }

    @Test
    void emptyDatabaseHasNoFileThatCanRot(@TempDir Path empty) throws IOException {
        assertThat(RottenFile.choose(empty, 1)).isEqualTo(Optional.empty());
    }
}
