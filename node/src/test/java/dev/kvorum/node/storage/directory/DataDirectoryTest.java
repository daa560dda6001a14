package dev.kvorum.node.storage.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.node.storage.MemberDirectory.Alive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataDirectoryTest {
    @TempDir
    Path parent;

    private Path path;
    private Path stamp;

    @BeforeEach
    void name() {
        path = parent.resolve("deep/data");
        stamp = path.resolve("kvorum.properties");
    }

    private DataDirectory claim() {
        return DataDirectory.claim(path, "demo", "n1", 256);
    }

    private DataDirectoryException refusal(@Nullable String cluster, String member, int partitions) {
        return catchThrowableOfType(
                DataDirectoryException.class, () -> DataDirectory.claim(path, cluster, member, partitions));
    }

    @Test
    void newDirectoryIsMadeAndStamped() throws IOException {
        DataDirectory directory = claim();

        assertThat(directory.database()).isEqualTo(path.resolve("cells"));
        assertThat(Files.readString(stamp))
                .contains("cluster=demo", "member=n1", "partitions=256", "incarnation=" + directory.incarnation());
        assertThat(path).isDirectoryNotContaining(file -> file.toString().endsWith(".new"));
    }

    @Test
    void sameMemberGetsItsDirectoryBackWithTheSameIncarnation() throws IOException {
        DataDirectory first = claim();
        Files.createDirectory(first.database());

        assertThat(claim().incarnation()).isEqualTo(first.incarnation());
    }

    @Test
    void everyStartHasANumberOfItsOwn() {
        long first = claim().start();
        long second = claim().start();

        assertThat(second).isGreaterThan(first);
    }

    /** A copy from before a start is put back after it: the start on the copy has another number than that one. */
    @Test
    void startOnACopyHasNotTheNumberOfTheStartThatTheCopyDoesNotKnow() throws IOException {
        claim();
        Path starts = path.resolve("starts");
        String copied = Files.readString(starts);
        long unknown = claim().start();

        Files.writeString(starts, copied);

        assertThat(claim().start()).isGreaterThan(unknown);
    }

    /** Starts are numbered by the clock, which may be set back. */
    @Test
    void startBehindAClockThatWasSetBackHasAGreaterNumber() throws IOException {
        claim();
        long later = System.currentTimeMillis() + 3_600_000;
        Files.writeString(path.resolve("starts"), later + "\n");

        assertThat(claim().start()).isEqualTo(later + 1);
    }

    @Test
    void notesWithAFlippedDigitAreNotBelieved() throws IOException {
        DataDirectory directory = claim();
        directory.noteTenure(7);
        directory.noteWitnessed("n2 says 7\n");
        assertThat(directory.tenure()).isEqualTo(7);
        assertThat(directory.witnessed()).contains("n2 says 7\n");

        for (String note : List.of("tenure", "witnessed")) {
            Path file = path.resolve(note);
            Files.writeString(file, Files.readString(file).replaceFirst("7", "9"));
        }

        assertThat(directory.witnessed()).isEmpty();
        assertThat(catchThrowableOfType(DataDirectoryException.class, this::claim))
                .hasMessageContaining("tenure of the epoch");
    }

    @Test
    void damagedCountOfStartsIsRefusedWithTheRemedy() throws IOException {
        claim();
        Files.writeString(path.resolve("starts"), "many");

        assertThat(catchThrowableOfType(DataDirectoryException.class, this::claim))
                .hasMessageContaining("starts is damaged");
    }

    @Test
    void emptiedDirectoryIsAnotherIncarnation() throws IOException {
        DataDirectory first = claim();
        Files.delete(stamp);

        assertThat(claim().incarnation()).isNotEqualTo(first.incarnation());
    }

    @Test
    void directoryOfAnotherClusterIsRefusedWithTheRemedy() {
        claim();

        DataDirectoryException refusal = refusal("prod", "n1", 256);

        assertThat(refusal)
                .hasMessage("the data directory " + path
                        + " belongs to cluster \"demo\", this node is started for cluster \"prod\"");
        assertThat(refusal.remedy()).contains("--kvorum.data-dir").contains("empty the directory");
    }

    @Test
    void directoryOfAnotherMemberIsRefusedWithTheRemedy() {
        claim();

        DataDirectoryException refusal = refusal("demo", "n2", 256);

        assertThat(refusal).hasMessageContaining("belongs to member \"n1\", this node is started for member \"n2\"");
        assertThat(refusal.remedy()).contains("--kvorum.node-id");
    }

    @Test
    void directoryWithOtherPartitionsIsRefusedWithTheRemedy() {
        claim();

        DataDirectoryException refusal = refusal("demo", "n1", 512);

        assertThat(refusal)
                .hasMessageContaining("belongs to partitions \"256\", this node is started for partitions \"512\"");
        assertThat(refusal.remedy()).contains("correct the topology file");
    }

    @Test
    void refusalLeavesTheStampAsItWas() throws IOException {
        claim();
        String before = Files.readString(stamp);

        assertThat(refusal("prod", "n2", 512)).isNotNull();

        assertThat(Files.readString(stamp)).isEqualTo(before);
    }

    @Test
    void topologyWithoutAClusterTakesAnyClustersDirectory() {
        DataDirectory first = claim();

        assertThat(DataDirectory.claim(path, null, "n1", 256).incarnation()).isEqualTo(first.incarnation());
    }

    @Test
    void directoryOfATopologyWithoutAClusterServesOneThatNamesIt() {
        DataDirectory first = DataDirectory.claim(path, null, "n1", 256);

        assertThat(claim().incarnation()).isEqualTo(first.incarnation());
    }

    @Test
    void databaseWithoutAStampIsRefusedWithTheRemedy() throws IOException {
        Files.createDirectories(path.resolve("cells"));

        DataDirectoryException refusal = refusal("demo", "n1", 256);

        assertThat(refusal).hasMessageContaining("holds a database but no stamp that says whose it is");
        assertThat(refusal.remedy()).contains("Restore kvorum.properties");
        assertThat(stamp).doesNotExist();
    }

    @Test
    void stampWithoutAnIncarnationIsRefusedWithTheRemedy() throws IOException {
        claim();
        Files.writeString(stamp, "cluster=demo\nmember=n1\npartitions=256\nincarnation=zz\n");

        DataDirectoryException refusal = refusal("demo", "n1", 256);

        assertThat(refusal).hasMessage("the stamp " + stamp + " is damaged: it has no incarnation");
        assertThat(refusal.remedy()).startsWith("Restore that file");
    }

    @Test
    void stampThatIsNotAPropertiesFileIsRefused() throws IOException {
        claim();
        Files.writeString(stamp, "member=\\u00zz\n");

        assertThat(refusal("demo", "n1", 256)).hasMessage("the stamp " + stamp + " is damaged: it can't be parsed");
    }

    @Test
    void stampThatLostItsContentIsRefused() throws IOException {
        claim();
        Files.writeString(stamp, "");

        assertThat(refusal("demo", "n1", 256)).hasMessage("the stamp " + stamp + " is damaged: it has no member");
    }

    @Test
    void pathThatIsAFileIsRefusedWithTheRemedy() throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, "not a directory");

        DataDirectoryException refusal = refusal("demo", "n1", 256);

        assertThat(refusal).hasMessageContaining("the data directory " + path + " can't be used");
        assertThat(refusal.remedy()).contains("written to");
    }

    @Test
    void memberThatWasNeverAliveSaysSoAndOneThatWasSaysWhen() throws IOException {
        DataDirectory directory = claim();
        assertThat(directory.lastAlive()).isEmpty();

        directory.noteAlive(new Alive(17, 42));

        assertThat(claim().lastAlive()).contains(new Alive(17, 42));
    }

    @Test
    void damagedNoteOfLifeIsRefusedWithTheRemedy() throws IOException {
        DataDirectory directory = claim();
        Files.writeString(path.resolve("alive"), "17");

        DataDirectoryException refusal = catchThrowableOfType(DataDirectoryException.class, directory::lastAlive);

        assertThat(refusal).hasMessageContaining("damaged");
        assertThat(refusal.remedy()).contains("kvorum.repair.tombstone-grace");
    }

    @Test
    void directoryThatWasSetAsideIsAnotherThatRebuildsAndKeepsWhatItHeld() throws IOException {
        DataDirectory former = claim();
        Files.createDirectory(former.database());
        Files.writeString(former.database().resolve("some"), "data");

        DataDirectory fresh = former.setAside(1234, "demo", "n1", 256);

        assertThat(fresh.incarnation()).isNotEqualTo(former.incarnation());
        assertThat(fresh.rebuilding()).isEqualTo(1234);
        assertThat(former.rebuilding()).isZero();
        assertThat(fresh.database()).doesNotExist();
        assertThat(path.resolve("cells-until-1234/some")).hasContent("data");
        assertThat(claim().incarnation()).isEqualTo(fresh.incarnation());
    }

    /** As after a crash between the two steps: the stamp comes first, or an empty database would count as a whole one. */
    @Test
    void settingAsideCanBeRepeated() {
        DataDirectory half = claim().setAside(1234, "demo", "n1", 256);

        assertThat(half.setAside(5678, "demo", "n1", 256).rebuilding()).isEqualTo(5678);
    }

    @Test
    void onlyItsOwnerMayReadWhatIsInIt() throws IOException {
        DataDirectory directory = claim();
        directory.keepTopology(new byte[0]);

        assertThat(mode(path)).isEqualTo("rwx------");
        assertThat(mode(stamp)).isEqualTo("rw-------");
        assertThat(mode(path.resolve("starts"))).isEqualTo("rw-------");
        assertThat(mode(path.resolve("topology.json"))).isEqualTo("rw-------");
    }

    @Test
    void filesOfOthersInAWrongDirectoryStayAsTheyAre() throws IOException {
        Path tool =
                Files.createFile(Files.createDirectories(path.resolve("bin")).resolve("tool"));
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));

        var _ = claim();

        assertThat(mode(tool)).isEqualTo("rwxr-xr-x");
        assertThat(mode(path)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void claimTakesTheRightsOfOthersAway() throws IOException {
        Path database = claim().database();
        Path file = Files.createFile(Files.createDirectory(database).resolve("1.sst"));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxr-x"));
        Files.setPosixFilePermissions(database, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Files.setPosixFilePermissions(stamp, PosixFilePermissions.fromString("rw-rw----"));

        claim();

        assertThat(mode(path)).isEqualTo("rwx------");
        assertThat(mode(database)).isEqualTo("rwx------");
        assertThat(mode(file)).isEqualTo("rw-------");
        assertThat(mode(stamp)).isEqualTo("rw-------");
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"topology.json", "topology.json.new"})
    void symbolicLinkInTheDirectoryIsNotFollowed(String name) throws IOException {
        DataDirectory directory = claim();
        Path victim = Files.writeString(parent.resolve("victim"), "of somebody else");
        Files.createSymbolicLink(path.resolve(name), victim);

        directory.keepTopology("{}".getBytes(StandardCharsets.UTF_8));

        assertThat(victim).hasContent("of somebody else");
        assertThat(path.resolve("topology.json")).hasContent("{}").isRegularFile();
        assertThat(Files.isSymbolicLink(path.resolve("topology.json"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kvorum.properties.new", "probe"})
    void symbolicLinkIsNotFollowedByAClaim(String name) throws IOException {
        Path victim = Files.writeString(parent.resolve("victim"), "of somebody else");
        Files.createDirectories(path);
        Files.createSymbolicLink(path.resolve(name), victim);

        claim();

        assertThat(victim).hasContent("of somebody else");
        assertThat(path.resolve(name)).doesNotExist();
    }

    @Test
    void databaseLockedByAnotherProcessIsRefusedWithItsId() throws IOException {
        Path database = Files.createDirectories(claim().database());
        Path lock = Files.createFile(database.resolve("LOCK"));
        String before = Files.readString(stamp);
        Process holder = LockHolder.start(lock);
        try {
            DataDirectoryException refusal = refusal("demo", "n1", 256);

            assertThat(refusal)
                    .hasMessage("the data directory " + path + " is in use by another process, " + holder.pid());
            assertThat(refusal.remedy()).startsWith("Stop that process");
            assertThat(Files.readString(stamp)).isEqualTo(before);
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    void directoryWithAnotherStampIsAnother() throws IOException {
        DataDirectory directory = claim();
        assertThat(directory.change()).isEmpty();

        Files.delete(stamp);
        assertThat(directory.change())
                .hasValueSatisfying(change -> assertThat(change).contains("moved or deleted"));

        claim();
        assertThat(directory.change())
                .hasValueSatisfying(change -> assertThat(change).contains("incarnation"));
    }

    @Test
    void parentsThatAreMadeAreTheOwnersAlone() throws IOException {
        claim();

        assertThat(mode(parent.resolve("deep"))).isEqualTo("rwx------");
    }

    @Test
    void emptyDirectoryLosesTheRightsOfOthers() throws IOException {
        Files.createDirectories(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));

        claim();

        assertThat(mode(path)).isEqualTo("rwx------");
    }

    @Test
    void directoryOfAnotherMemberKeepsItsModes() throws IOException {
        claim();
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-x---"));

        assertThat(refusal("demo", "n2", 256)).isNotNull();

        assertThat(mode(path)).isEqualTo("rwxr-x---");
    }

    /** Else the lock of somebody else's file would be tried, or that file made. */
    @Test
    void lockThatIsALinkIsNotFollowed() throws IOException {
        Path database = Files.createDirectories(claim().database());
        Files.createSymbolicLink(database.resolve("LOCK"), Files.createFile(path.resolveSibling("victim")));

        assertThat(refusal("demo", "n1", 256)).isNotNull();
    }
}
