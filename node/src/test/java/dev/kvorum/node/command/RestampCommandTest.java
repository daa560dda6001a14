package dev.kvorum.node.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.storage.directory.DataDirectory;
import dev.kvorum.node.storage.rocks.RocksStore;
import dev.kvorum.node.storage.rocks.SmallStore;
import dev.kvorum.node.storage.rocks.StoppedStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the command says of one data directory. */
@Timeout(60)
class RestampCommandTest {
    private static final Instant NOW = Instant.ofEpochMilli(System.currentTimeMillis());
    private static final Instant AHEAD = NOW.plus(Duration.ofDays(365));
    private static final String FROM = "--from=" + NOW.plusSeconds(60);
    private static final String TO = "--to=" + NOW.plusMillis(1);
    private static final Key KEY = Key.of("cart-7");

    @TempDir
    Path parent;

    private Path data;

    @BeforeEach
    void make() {
        data = parent.resolve("data");
        write(NOW, AHEAD);
    }

    /** A life of the node whose clock shows that in the end. */
    private void write(Instant version, Instant clock) {
        DataDirectory directory = DataDirectory.claim(data, "demo", "n1", 16);
        try (RocksStore store =
                RocksStore.open(directory, 0, SmallStore.settings(), SmallStore.hints(), SmallStore.host())) {
            store.keepNewest(() -> clock.toEpochMilli() << Version.COUNTER_BITS);
            Version stamped = new Version(version.toEpochMilli() << Version.COUNTER_BITS, 77);
            store.write(3, KEY, Draft.ofValue(KEY.utf8()).stamp(KEY, stamped, 3))
                    .block();
        }
    }

    private String restamp(int expected, String... more) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, UTF_8);
        String[] arguments = Stream.concat(Stream.of("restamp", "--data-dir=" + data), Stream.of(more))
                .toArray(String[]::new);
        assertThat(Commands.run(arguments, out, out)).as(said.toString(UTF_8)).isEqualTo(expected);
        return said.toString(UTF_8);
    }

    @Test
    void noteOfTheClockIsToldApartFromKeys() {
        assertThat(restamp(0))
                .contains(
                        "has no cells, registers or hints",
                        "the note of this node's own clock is of " + AHEAD,
                        "the newest version before is of " + NOW)
                .doesNotContain("the first is of");
    }

    @Test
    void thoseThatAreStillAheadAreToldByWhatTheyHinder() {
        String still = "--to=" + NOW.plusMillis(59_000);
        assertThat(restamp(0, FROM, still))
                .contains("0 cells, 0 registers, 0 hints, and the note of the node's own clock")
                .contains("until then the node takes no plain writes")
                .doesNotContain("its key takes");

        write(AHEAD, AHEAD);
        assertThat(restamp(0, FROM, "--to=" + NOW.plusMillis(58_000)))
                .contains("1 cells", "until then its key takes no plain writes");
    }

    @Test
    void listNamesTheCommandThatIsNotFinishedAndThoseThatAre() {
        assertThat(restamp(0, FROM, TO)).contains("moved");
        String done = "restamp " + FROM + " " + TO;
        assertThat(restamp(0)).contains("\"" + done + "\" was done here before");
        assertThat(restamp(1, FROM, TO)).contains("Nothing was changed", "\"" + done + "\" was done here already");

        try (StoppedStore store = StoppedStore.open(data)) {
            store.begin("restamp --from=2027-01-01T00:00:00Z --to=2026-01-01T00:00:00Z");
        }
        assertThat(restamp(0))
                .contains(
                        "\"restamp --from=2027-01-01T00:00:00Z --to=2026-01-01T00:00:00Z\" was begun here and ended early");
    }

    /** As in a volume of Kubernetes: it is root's, and the node may write there by its group. */
    @Test
    void ownerIsThatOfTheFilesAndNotOfTheDirectory() throws IOException {
        UserPrincipal other =
                parent.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("10001");
        assumeTrue(isGiven(data, other), "only root may give files away");

        assertThat(restamp(0)).contains("the note of this node's own clock");

        UserPrincipal own = Files.getOwner(parent);
        Files.setOwner(data, own);
        Files.setOwner(data.resolve("cells/CURRENT"), other);
        assertThat(restamp(1)).contains("belongs to another user, " + other + ". Run the command as that user");
        assertThat(Files.getOwner(data.resolve("cells.synced")))
                .as("nothing was made anew")
                .isEqualTo(own);
    }

    private static boolean isGiven(Path path, UserPrincipal owner) {
        try {
            Files.setOwner(path, owner);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
