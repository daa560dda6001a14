package dev.kvorum.node.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.storage.CellVisitor;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.NoteStore;
import dev.kvorum.node.storage.PartitionDrops;
import dev.kvorum.node.storage.PartitionSize;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.Scanned;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangeTopologies;
import dev.kvorum.topology.change.Gain;
import dev.kvorum.topology.change.MemberReport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The part of n4, which joins, on a clock that the test moves; what is moved is somebody else's. */
class TransferTest {
    private static final Topology FORMER = Topologies.of(1, "n1", "n2", "n3");
    private static final Topology BEGUN = begun(2);

    private final ManualSync sync = new ManualSync();
    private final EmptyStore store = new EmptyStore();
    private Membership membership = new Membership("n4", FORMER);
    private long nanos;
    private final Deadlines deadlines = new Deadlines(() -> nanos, () -> {});
    private Transfer transfer = started();

    private static Topology begun(long epoch) {
        List<Member> members = new ArrayList<>(FORMER.members());
        members.add(Topologies.member("n4", MemberState.JOINING));
        return Topologies.of(epoch, members);
    }

    private Transfer started() {
        TransferParts parts = new TransferParts(
                membership,
                sync,
                store,
                store,
                store,
                deadlines,
                new DataAge(() -> nanos / 1_000_000, () -> 0, Duration.ofDays(1)),
                1000);
        Transfer fresh = new Transfer(parts, new TransferMetrics(new SimpleMeterRegistry()));
        fresh.start().block();
        return fresh;
    }

    private void restart() {
        transfer.close();
        membership = new Membership("n4", membership.view().topology());
        transfer = started();
    }

    private void pass(Duration time) {
        long end = nanos + time.toNanos();
        while (nanos < end) {
            nanos += Duration.ofMillis(10).toNanos();
            var _ = deadlines.sweep();
        }
    }

    private static int gains() {
        return Gain.of(BEGUN, "n4").size();
    }

    private static long wholes() {
        return Gain.of(BEGUN, "n4").stream().filter(gain -> gain.brings(3)).count();
    }

    private MemberReport.Transfer report() {
        return transfer.report();
    }

    @Test
    void nothingIsPulledBeforeAllGoByTheChange() {
        membership.offer(BEGUN);
        pass(Duration.ofSeconds(10));

        assertThat(sync.streamed).isEmpty();
        assertThat(sync.gathered).isEmpty();
        assertThat(report()).isEqualTo(new MemberReport.Transfer(null, gains(), 0, 0, 0, 0, 1000, ""));
    }

    @Test
    void everyGainIsStreamedOnceAndComparedWithAllPresentOwners() {
        membership.offer(BEGUN);
        assertThat(transfer.settle(2, Set.of())).isEmpty();
        pass(Duration.ofSeconds(1));

        assertThat(sync.streamed).doesNotHaveDuplicates().hasSize((int) wholes());
        assertThat(sync.gathered).hasSize(gains());
        assertThat(sync.gathered.values())
                .allSatisfy(owners -> assertThat(owners).containsExactly("n1", "n2", "n3"));
        assertThat(report().isDone()).isTrue();
        assertThat(report().cells()).isEqualTo(10 * wholes());
        assertThat(report().bytes()).isEqualTo(1000 * wholes());
    }

    @Test
    void onlyOfTheEpochInForceItIsToldThatAllGoByIt() {
        assertThat(transfer.settle(1, Set.of())).contains("no change of the members is running");
        membership.offer(BEGUN);

        assertThat(transfer.settle(1, Set.of())).contains("this node goes by epoch 2, not 1");
        assertThat(transfer.settle(2, Set.of("n1", "n2", "n3"))).contains("nobody would be left to pull from");
        assertThat(report().settled()).isFalse();
    }

    @Test
    void membersThatAreGoneAreNotAsked() {
        membership.offer(BEGUN);
        assertThat(transfer.settle(2, Set.of("n2"))).isEmpty();
        pass(Duration.ofSeconds(1));

        assertThat(sync.gathered.values())
                .allSatisfy(owners -> assertThat(owners).containsExactly("n1", "n3"));
    }

    @Test
    void failedPartitionIsTriedAgainAfterAPauseWhileOthersGoOn() {
        membership.offer(BEGUN);
        sync.fail(3);
        assertThat(transfer.settle(2, Set.of())).isEmpty();
        pass(Duration.ofMillis(500));
        assertThat(report().verified()).isEqualTo(gains() - 3);

        pass(Duration.ofSeconds(2));

        assertThat(report().isDone()).isTrue();
        assertThat(report().failure()).isEmpty();
    }

    @Test
    void whoIsSaidToBeGoneMustBeAMember() {
        membership.offer(BEGUN);

        assertThat(transfer.settle(2, Set.of("n1", "n2 n3")))
                .get()
                .asString()
                .contains("\"n2 n3\" is said to be gone, but is no member; the members are n1, n2, n3");
        assertThat(report().settled()).isFalse();
    }

    @Test
    void whoIsGoneIsReportedAlsoAfterARestart() {
        membership.offer(BEGUN);
        sync.hold();

        assertThat(transfer.settle(2, Set.of("n3"))).isEmpty();
        assertThat(report().without()).containsExactly("n3");

        restart();
        assertThat(report().without()).containsExactly("n3");
    }

    @Test
    void whyItGoesSlowlyIsToldWhileSomethingIsLeft() {
        membership.offer(BEGUN);
        sync.slowness = "n1 refuses";
        sync.hold();
        assertThat(transfer.settle(2, Set.of())).isEmpty();
        pass(Duration.ofMillis(500));
        assertThat(report().failure()).isEqualTo("n1 refuses");

        sync.release();
        pass(Duration.ofSeconds(2));

        assertThat(report().isDone()).isTrue();
        assertThat(report().failure()).isEmpty();
    }

    @Test
    void progressOutlivesARestart() {
        membership.offer(BEGUN);
        assertThat(transfer.settle(2, Set.of())).isEmpty();
        pass(Duration.ofSeconds(1));
        MemberReport.Transfer before = report();
        int streamed = sync.streamed.size();

        restart();
        pass(Duration.ofSeconds(1));

        assertThat(report().verified()).isEqualTo(before.verified());
        assertThat(report().bytes()).isEqualTo(before.bytes());
        assertThat(report().settled()).isTrue();
        assertThat(sync.streamed).hasSize(streamed);
    }

    /** As after a power cut: reads would ask it for what it lacks. */
    @Test
    void partitionThatHasLostSomethingIsVerifiedAgainAfterARestart() {
        membership.offer(BEGUN);
        assertThat(transfer.settle(2, Set.of())).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(report().isDone()).isTrue();
        int lost = sync.gathered.keySet().iterator().next();
        sync.rebuilding.add(lost);
        sync.gathered.clear();
        sync.hold();

        restart();
        pass(Duration.ofMillis(100));

        assertThat(report().isDone()).isFalse();
        assertThat(sync.gathered).containsOnlyKeys(lost);

        sync.release();
        pass(Duration.ofSeconds(1));

        assertThat(report().isDone()).isTrue();
    }

    @Test
    void partitionThatWasStreamedButNotComparedIsComparedAfterARestart() {
        membership.offer(BEGUN);
        assertThat(transfer.settle(2, Set.of())).isEmpty();
        sync.hold();
        pass(Duration.ofMillis(100));
        assertThat(sync.underWay()).isPositive();
        assertThat(report().verified()).isZero();

        restart();
        sync.release();
        pass(Duration.ofSeconds(1));

        assertThat(report().isDone()).isTrue();
    }

    @Test
    void progressGoesOnUnderTheNextEpochOfTheSameChange() {
        membership.offer(BEGUN);
        assertThat(transfer.settle(2, Set.of())).isEmpty();
        pass(Duration.ofSeconds(1));

        membership.offer(ChangeTopologies.switched(BEGUN));

        assertThat(report().isDone()).isTrue();
    }

    /** The change may have been cancelled and begun anew in between, with writes that went to the former owners alone. */
    @Test
    void progressIsNotTrustedWhereAnEpochWasMissed() {
        membership.offer(BEGUN);
        assertThat(transfer.settle(2, Set.of())).isEmpty();
        pass(Duration.ofSeconds(1));

        membership.offer(begun(4));

        assertThat(report().verified()).isZero();
        assertThat(report().settled()).isFalse();
    }

    @Test
    void whatEndsAfterItsChangeWasCancelledIsNoProgressOfTheNext() {
        membership.offer(BEGUN);
        assertThat(transfer.settle(2, Set.of())).isEmpty();
        sync.hold();
        pass(Duration.ofMillis(100));
        membership.offer(Topologies.of(3, "n1", "n2", "n3"));
        membership.offer(begun(4));

        sync.release();
        pass(Duration.ofSeconds(1));

        assertThat(report())
                .isEqualTo(new MemberReport.Transfer(null, gains(), 0, 0, 0, report().bytesPerSecond(), 1000, ""));
    }

    /** What a node holds beyond what it has to may stand for something older that it has to hold: only a change of the members makes it needless. */
    @Test
    void whatIsNotNeededIsLookedForOnceAfterEachChangeOfTheMembers() {
        pass(Duration.ofSeconds(1));
        assertThat(store.scans).isZero();

        membership.offer(BEGUN);
        membership.offer(Topologies.of(3, "n1", "n2", "n3"));
        pass(Duration.ofSeconds(1));
        assertThat(store.scans).isEqualTo(BEGUN.partitions());

        membership.offer(Topologies.of(4, "n1", "n2", "n3"));
        restart();
        pass(Duration.ofSeconds(1));
        assertThat(store.scans).isEqualTo(BEGUN.partitions());
    }

    /** Found by the simulation, seed 1077 of its time: a node that was away for some epochs of the same members dropped an overwrite that it had been told in place of what it had to hold. */
    @Test
    void epochsThatWereMissedAreNoChangeWhereTheMembersAreTheSame() {
        pass(Duration.ofSeconds(1));

        membership.offer(Topologies.of(7, "n1", "n2", "n3"));
        restart();
        pass(Duration.ofSeconds(1));

        assertThat(store.scans).isZero();
    }

    /** It holds nothing but notes. */
    private static final class EmptyStore implements PartitionStore, PartitionDrops, NoteStore {
        private final Map<String, byte[]> notes = new HashMap<>();
        private int scans;

        @Override
        public Mono<Scanned> scan(KeyRange range, ScanLimit limit, CellVisitor visitor) {
            scans++;
            return Mono.just(new Scanned(null, 0, 0));
        }

        @Override
        public Mono<PartitionSize> size(int partition) {
            return Mono.just(new PartitionSize(0, 0));
        }

        @Override
        public Mono<Boolean> remove(int partition, Key key, Cell cell) {
            return Mono.just(false);
        }

        @Override
        public Watch watch(int partition) {
            throw new IllegalStateException("nothing is to be dropped");
        }

        @Override
        public Mono<byte[]> note(String name) {
            return Mono.justOrEmpty(notes.get(name));
        }

        @Override
        public Mono<Void> note(String name, byte[] note) {
            return Mono.fromRunnable(() -> notes.put(name, note));
        }
    }
}
