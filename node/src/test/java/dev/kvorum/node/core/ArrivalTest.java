package dev.kvorum.node.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.storage.directory.DataDirectory;
import dev.kvorum.node.verification.MemberLife;
import dev.kvorum.node.verification.Progress;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The breaks that a member has in taking part, which its directory notes. */
class ArrivalTest {
    @TempDir
    Path path;

    /** Starts by a topology file. */
    private Membership started(Topology file) {
        DataDirectory found = DataDirectory.claim(path, "demo", "n1", Topologies.PARTITIONS);
        Membership membership = new Membership("n1", file);
        new Arrival(membership, new NobodyAnswers(), Duration.ofHours(1), System::currentTimeMillis)
                .settle(found, now -> {
                    throw new AssertionError("it was not away for long");
                });
        return membership;
    }

    private long tenure() {
        return DataDirectory.claim(path, "demo", "n1", Topologies.PARTITIONS).tenure();
    }

    private static Topology of(long epoch, Member... more) {
        List<Member> members = new ArrayList<>(List.of(Topologies.member("n2"), Topologies.member("n3")));
        members.addAll(List.of(more));
        return Topologies.of(epoch, members);
    }

    private static Member n1(MemberState state) {
        return Topologies.member("n1", state);
    }

    @Test
    void memberThatWasNeverRemovedHasNoBreak() {
        started(of(1, n1(MemberState.JOINING))).offer(of(2, n1(MemberState.ACTIVE)));
        started(of(2, n1(MemberState.ACTIVE))).offer(of(3, n1(MemberState.LEAVING)));
        started(of(4, n1(MemberState.ACTIVE)));

        assertThat(tenure()).isZero();
    }

    @Test
    void memberThatSeesItsRemovalHasABreakThen() {
        Membership membership = started(of(1, n1(MemberState.LEAVING)));

        membership.offer(of(2));
        membership.offer(of(3, n1(MemberState.JOINING)));

        assertThat(tenure()).isEqualTo(2);
    }

    /** It was said to be gone: down while it was removed, it is started to be added again. */
    @Test
    void memberThatWasDownDuringItsRemovalHasABreakWhenItPullsAgain() {
        started(of(1, n1(MemberState.ACTIVE)));

        started(of(7, n1(MemberState.JOINING)));

        assertThat(tenure()).isEqualTo(7);
    }

    /** Its topology file is the one from before. */
    @Test
    void memberThatLearnsOfItsRemovalFromOthersHasABreakToo() {
        started(of(1, n1(MemberState.ACTIVE)));

        started(of(1, n1(MemberState.ACTIVE))).offer(of(7, n1(MemberState.JOINING)));

        assertThat(tenure()).isEqualTo(7);
    }

    private static final class NobodyAnswers implements Witnesses {
        @Override
        public List<MemberLife> lives(ClusterView view) {
            return List.of();
        }

        @Override
        public List<Progress> progress(ClusterView view, UUID incarnation) {
            return List.of();
        }

        @Override
        public List<Topology> topologies(ClusterView view) {
            return List.of();
        }

        @Override
        public List<MemberReport> reports(ClusterView view) {
            return List.of();
        }
    }
}
