package dev.kvorum.node.verification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.storage.directory.DataDirectory;
import dev.kvorum.topology.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LostLifeTest {
    private static final Duration AHEAD_MAX = Duration.ofSeconds(10);

    @TempDir
    Path path;

    private DataDirectory directory() {
        return DataDirectory.claim(path, "demo", "n1", Topologies.PARTITIONS);
    }

    private static LostLife lost(DataDirectory directory) {
        return new LostLife(
                directory.incarnation(),
                directory.created(),
                directory.rebuilding(),
                directory.incomplete(),
                AHEAD_MAX);
    }

    private static ClusterView recorded(@Nullable UUID incarnation) {
        Member plain = Topologies.member("n1");
        Member member = new Member(
                plain.id(), plain.api(), plain.peer(), plain.zone(), plain.state(), plain.weight(), incarnation);
        return new Membership("n1", Topologies.of(1, List.of(member))).view();
    }

    @Test
    void emptiedDirectoryOfARecordedMemberServesNoBallotFromBeforeNorFromAsLongBehindItAsClocksMayDiffer()
            throws IOException {
        UUID recorded = directory().incarnation();
        Files.delete(path.resolve("kvorum.properties"));

        DataDirectory fresh = directory();

        assertThat(lost(fresh).promisesForgottenUntil(recorded(recorded)))
                .isEqualTo(fresh.created() + AHEAD_MAX.toMillis());
        assertThat(lost(fresh).loss(recorded(recorded)).all()).isEqualTo(fresh.created());
    }

    @Test
    void whatWasSetAsideCountsAsLostWhateverTheTopologyRecords() {
        DataDirectory aside = directory().setAside(1_700_000_000_000L, "demo", "n1", Topologies.PARTITIONS);

        assertThat(lost(aside).promisesForgottenUntil(recorded(aside.incarnation())))
                .isEqualTo(1_700_000_000_000L + AHEAD_MAX.toMillis());
        assertThat(lost(aside).loss(recorded(null)).all()).isEqualTo(1_700_000_000_000L);
    }

    @Test
    void directoryThatTheTopologyRecordsAndOneOfANewClusterHaveLostNothing() {
        DataDirectory directory = directory();

        for (ClusterView view : List.of(recorded(directory.incarnation()), recorded(null))) {
            assertThat(lost(directory).promisesForgottenUntil(view)).isZero();
            assertThat(lost(directory).writesForgottenUntil(view)).isZero();
            assertThat(lost(directory).loss(view)).isEqualTo(Loss.NONE);
            assertThat(lost(directory).loss(view).isAny()).isFalse();
        }
    }

    @Test
    void directoryAfterAPowerCutMayLackWritesAndKeepsItsPromises() {
        DataDirectory cut = directory().becomeIncomplete(1_700_000_000_000L);
        ClusterView view = recorded(cut.incarnation());

        assertThat(lost(cut).loss(view).some()).isEqualTo(1_700_000_000_000L);
        assertThat(lost(cut).writesForgottenUntil(view)).isEqualTo(1_700_000_000_000L + AHEAD_MAX.toMillis());
        assertThat(lost(cut).loss(view).all()).isEqualTo(Verifications.NEVER);
        assertThat(lost(cut).loss(view).isAny()).isTrue();
        assertThat(lost(cut).promisesForgottenUntil(view)).isZero();
    }
}
