package dev.kvorum.node.consensus;

import static dev.kvorum.node.consensus.RegisterCluster.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.consensus.RegisterCluster.Node;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.storage.CellVisitor;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.PartitionSize;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.Scanned;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class SettledPartitionsTest {
    private static final Version VERSION = new Version((1_700_000_000_000L << 16) + 1, 5);
    private static final Cell CELL = Draft.ofValue(new byte[] {1}).stamp(KEY, VERSION, 3);

    private final RegisterCluster cluster =
            new RegisterCluster(1, Topologies.of(1, "n1", "n2", "n3"), List.of("n1", "n2", "n3"));
    private final Node node = cluster.node("n1");
    private final SettledPartitions partitions = new SettledPartitions(new Origin(), node.settling);
    private final List<Scanned> scanned = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();

    private void leaveOpen() {
        Proposal proposal = Proposal.of(VERSION, CELL, List.of());
        assertThat(node.acceptor.accept(KEY, proposal, 1).block()).isEqualTo(new Vote.Done("n1"));
    }

    private void scan(KeyRange range) {
        var _ = partitions.scan(range, ScanLimit.PAGE, (key, cell) -> true).subscribe(scanned::add, errors::add);
    }

    @Test
    void partitionIsScannedWhenNothingIsLeftOpenInIt() {
        leaveOpen();
        scan(KeyRange.of(node.partition()));
        assertThat(scanned).isEmpty();

        cluster.deliverAll();

        assertThat(scanned).containsExactly(Origin.SCANNED);
        assertThat(node.cell()).isEqualTo(CELL);
    }

    @Test
    void whoeverScansAPartitionThatCanNotBeSettledIsToldToComeAgain() {
        cluster.node("n2").isUp = false;
        cluster.node("n3").isUp = false;
        leaveOpen();
        scan(KeyRange.of(node.partition()));

        cluster.pass(Duration.ofSeconds(2));

        assertThat(scanned).isEmpty();
        assertThat(errors).singleElement().isInstanceOf(StoreOverloadedException.class);
    }

    @Test
    void scanThatGoesOnNeedsNoSettling() {
        leaveOpen();

        scan(KeyRange.of(node.partition()).from(KEY));

        assertThat(scanned).containsExactly(Origin.SCANNED);
    }

    @Test
    void sizesAndRemovalsAreThoseOfTheStore() {
        leaveOpen();

        assertThat(partitions.size(7).block()).isEqualTo(new PartitionSize(70, 7));
        assertThat(partitions.remove(7, KEY, CELL).block()).isTrue();
    }

    /** A store that answers at once. */
    private static final class Origin implements PartitionStore {
        static final Scanned SCANNED = new Scanned(null, 1, 100);

        @Override
        public Mono<Scanned> scan(KeyRange range, ScanLimit limit, CellVisitor visitor) {
            return Mono.just(SCANNED);
        }

        @Override
        public Mono<PartitionSize> size(int partition) {
            return Mono.just(new PartitionSize(partition * 10L, partition));
        }

        @Override
        public Mono<Boolean> remove(int partition, Key key, Cell cell) {
            return Mono.just(key.equals(KEY) && cell.equals(CELL));
        }
    }
}
