package dev.kvorum.node.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.core.Arrival;
import dev.kvorum.node.core.Opened;
import dev.kvorum.node.core.Witnesses;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.node.storage.directory.DataDirectory;
import dev.kvorum.node.storage.rocks.RocksStore;
import dev.kvorum.node.storage.rocks.SmallStore;
import dev.kvorum.node.verification.MemberLife;
import dev.kvorum.node.verification.Progress;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/** When a member that has lost its database may begin as an empty one. */
class RocksGroundTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final Duration GRACE = Duration.ofDays(10);
    private static final Topology THREE = of(3, active("n1"), active("n2"), active("n3"));

    @TempDir
    Path parent;

    private DataDirectory directory;

    @BeforeEach
    void lose() throws IOException {
        directory = DataDirectory.claim(parent.resolve("data"), "demo", "n1", 16);
        open(directory, 0).close();
        FileSystemUtils.deleteRecursively(directory.database());
    }

    private Progress remembered = Progress.none(new UUID(1, 1));

    /** The other members. */
    private record Answering(Progress remembered, List<MemberReport> others) implements Witnesses {
        @Override
        public List<MemberLife> lives(ClusterView view) {
            return List.of();
        }

        @Override
        public List<Progress> progress(ClusterView view, UUID incarnation) {
            return List.of(remembered);
        }

        @Override
        public List<Topology> topologies(ClusterView view) {
            return List.of();
        }

        @Override
        public List<MemberReport> reports(ClusterView view) {
            return others;
        }
    }

    private static RocksStore open(DataDirectory of, long changes) {
        return RocksStore.open(of, changes, SmallStore.settings(), SmallStore.hints(), SmallStore.host());
    }

    private static Member member(String id, MemberState state) {
        URI address = URI.create("http://" + id + ":9090");
        return new Member(id, address, address, "z", state, 1, null);
    }

    private static Member active(String id) {
        return member(id, MemberState.ACTIVE);
    }

    private static Topology of(int factor, Member... members) {
        return new Topology("demo", 7, factor, 16, Arrays.asList(members));
    }

    private static MemberReport report(String id, int rebuilding) {
        return new MemberReport(
                new MemberReport.Identity(id, "demo", 16, new UUID(1, 2)),
                MemberReport.Standing.of(THREE, id, rebuilding),
                new MemberReport.Transfer(Set.of(), 0, 0, 0, 0, 0, 100, ""),
                new MemberReport.Former(0, 0, ""),
                new MemberReport.Disk(1L << 30, 0));
    }

    private Opened<DataDirectory, RocksStore> opened(Topology topology, MemberReport... others) {
        Membership membership = new Membership("n1", topology);
        Arrival arrival = new Arrival(membership, new Answering(remembered, List.of(others)), GRACE, () -> NOW);
        return arrival.open(directory, new RocksGround("n1", "demo", 16, RocksGroundTest::open));
    }

    private void assertRefused(String remedy, Topology topology, MemberReport... others) {
        assertThatThrownBy(() -> opened(topology, others))
                .isInstanceOfSatisfying(
                        LostDataException.class,
                        loss -> assertThat(loss.remedy()).contains(remedy));
        assertThat(DataDirectory.claim(directory.path(), "demo", "n1", 16).incarnation())
                .isEqualTo(directory.incarnation());
    }

    @Test
    void memberBeginsAsAnEmptyOneWhereAnotherOwnerHasAllOfItsData() {
        Opened<DataDirectory, RocksStore> opened = opened(THREE, report("n3", 0));

        try (RocksStore _ = opened.store()) {
            assertThat(opened.directory().rebuilding()).isEqualTo(NOW);
            assertThat(opened.directory().incarnation()).isNotEqualTo(directory.incarnation());
        }
    }

    @Test
    void directoryThatOthersHaveSeenAtALaterStartIsSetAside() {
        directory = DataDirectory.claim(parent.resolve("older"), "demo", "n1", 16);
        open(directory, 0).close();
        remembered = new Progress(directory.incarnation(), directory.start(), 0);

        Opened<DataDirectory, RocksStore> opened = opened(THREE, report("n2", 0));

        try (RocksStore _ = opened.store()) {
            assertThat(opened.directory().rebuilding()).isEqualTo(NOW);
        }
    }

    @Test
    void directoryOfWhichOthersRememberMoreChangesIsSetAside() {
        directory = DataDirectory.claim(parent.resolve("older"), "demo", "n1", 16);
        open(directory, 0).close();
        remembered = new Progress(directory.incarnation(), directory.start() - 1, 1_000_000);

        Opened<DataDirectory, RocksStore> opened = opened(THREE, report("n2", 0));

        try (RocksStore _ = opened.store()) {
            assertThat(opened.directory().rebuilding()).isEqualTo(NOW);
        }
    }

    /** What a node has left that ran when the machine stopped. */
    private void cutOff(String bootId, String durability) throws IOException {
        directory = DataDirectory.claim(parent.resolve("cut"), "demo", "n1", 16);
        open(directory, 0).close();
        Files.writeString(directory.path().resolve("running"), bootId + " " + durability + "\n");
    }

    private long incompleteAfter(Topology topology, MemberReport... others) {
        Opened<DataDirectory, RocksStore> opened = opened(topology, others);
        try (RocksStore _ = opened.store()) {
            assertThat(opened.directory().incarnation()).isEqualTo(directory.incarnation());
            assertThat(opened.directory().rebuilding()).isZero();
            assertThat(DataDirectory.claim(directory.path(), "demo", "n1", 16).incomplete())
                    .isEqualTo(opened.directory().incomplete());
            return opened.directory().incomplete();
        }
    }

    @Test
    void directoryOfAMachineThatStoppedIsIncompleteWhereLogsWereNotSynced() throws IOException {
        cutOff("another-boot", "ASYNC");

        assertThat(incompleteAfter(THREE, report("n2", 0), report("n3", 5))).isEqualTo(NOW);
    }

    @Test
    void directoryOfAMachineThatStoppedIsWholeWhereLogsWereSynced() throws IOException {
        cutOff("another-boot", "FSYNC");

        assertThat(incompleteAfter(THREE, report("n2", 0))).isZero();
    }

    /** They may have been cut off as well, or be down and have more. */
    @Test
    void directoryOfAMachineThatStoppedIsIncompleteWhoeverAnswers() throws IOException {
        cutOff("another-boot", "ASYNC");

        assertThat(incompleteAfter(THREE, report("n2", 3))).isEqualTo(NOW);

        cutOff("another-boot", "ASYNC");
        assertThat(incompleteAfter(THREE)).isEqualTo(NOW + 1);
    }

    @Test
    void directoryOfAMachineThatStoppedIsUsedWhereThereIsNoOtherCopy() throws IOException {
        cutOff("another-boot", "ASYNC");

        assertThat(incompleteAfter(of(1, active("n1"), active("n2")), report("n2", 0)))
                .isZero();
    }

    @Test
    void directoryThatWasReplacedSinceIsSetAside() {
        directory = DataDirectory.claim(parent.resolve("replaced"), "demo", "n1", 16);
        open(directory, 0).close();
        directory = DataDirectory.claim(directory.path(), "demo", "n1", 16);
        remembered = Progress.replaced(directory.incarnation());

        Opened<DataDirectory, RocksStore> opened = opened(THREE, report("n2", 0));
        try (RocksStore _ = opened.store()) {
            assertThat(opened.directory().incarnation()).isNotEqualTo(directory.incarnation());
        }
    }

    @Test
    void directoryOfAProcessThatWasKilledIsWhole() throws IOException {
        cutOff(Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip(), "ASYNC");

        assertThat(incompleteAfter(THREE, report("n2", 0))).isZero();
    }

    @Test
    void directoryThatWasClosedInOrderIsWhole() throws IOException {
        cutOff("another-boot", "ASYNC");
        open(directory, 0).close();

        assertThat(incompleteAfter(THREE, report("n2", 0))).isZero();
    }

    @Test
    void directoryOfWhichOthersRememberLessIsUsed() {
        directory = DataDirectory.claim(parent.resolve("whole"), "demo", "n1", 16);
        open(directory, 0).close();
        remembered = new Progress(directory.incarnation(), directory.start() - 1, 1);

        Opened<DataDirectory, RocksStore> opened = opened(THREE, report("n2", 0));

        try (RocksStore _ = opened.store()) {
            assertThat(opened.directory().incarnation()).isEqualTo(directory.incarnation());
        }
    }

    @Test
    void memberWaitsForAnotherOwnerToAnswer() {
        assertRefused("Start the others first", THREE);
        assertRefused("Start the others first", THREE, report("n9", 0)); // Which owns nothing.
    }

    /** By one cause, perhaps: what is left of the two may be all that there is. */
    @Test
    void nothingIsSetAsideWhileAnotherMemberIsRebuilt() {
        assertRefused("n3 lost data as well", THREE, report("n2", 0), report("n3", 5));
    }

    @Test
    void onlyCopyIsNeverSetAside() {
        assertRefused("Copy the data directory first", of(1, active("n1"), active("n2")), report("n2", 0));
        assertRefused("Copy the data directory first", of(3, active("n1")), report("n2", 0));
    }

    /** Those that join hold nothing yet, and those that leave will hold nothing soon. */
    @Test
    void onlyOwnerBeforeOrAfterAChangeIsNeverSetAside() {
        assertRefused(
                "Copy the data directory first",
                of(3, active("n1"), member("n2", MemberState.JOINING), member("n3", MemberState.JOINING)),
                report("n2", 0));
        assertRefused(
                "Copy the data directory first",
                of(3, active("n1"), member("n2", MemberState.LEAVING)),
                report("n2", 0));
    }
}
