package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.coordinator.InFlight;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.Floors;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaMetrics;
import dev.kvorum.node.storage.CellStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import reactor.core.publisher.Mono;

/** Linearizable operations of a node that is alone. */
public final class LoneRegisters {
    private LoneRegisters() {}

    public static RegisterCoordinator of(
            Membership membership, HybridClock clock, Deadlines deadlines, Hints hints, Duration deadline) {
        LocalReplica local = new LocalReplica(
                membership,
                new NoCells(),
                clock,
                new ReplicaMetrics(new SimpleMeterRegistry()),
                new Floors(0, () -> 0),
                partition -> false);
        Acceptor acceptor = new Acceptor(
                local, membership, new MemoryRegisters(), clock, () -> clock.newest() >>> 16, Rebirth.NEVER);
        Electorates electorates = new Electorates(
                membership,
                acceptor,
                (member, path, epoch, body) ->
                        Mono.just(new ReplicaFailure(member.id(), ReplicaFailure.Reason.UNREACHABLE, "alone")));
        return new RegisterCoordinator(new RegisterParts(
                electorates,
                clock,
                () -> clock.newest() >>> 16,
                deadline,
                deadlines,
                () -> 0.5,
                new InFlight(),
                hints,
                new RegisterMetrics(new SimpleMeterRegistry())));
    }

    /** Nobody reads or writes without a round here. */
    private static final class NoCells implements CellStore {
        @Override
        public Mono<Void> write(int partition, Key key, Cell cell) {
            return Mono.error(new UnsupportedOperationException());
        }

        @Override
        public Mono<Void> synced() {
            return Mono.error(new UnsupportedOperationException());
        }

        @Override
        public Mono<Cell> read(int partition, Key key) {
            return Mono.error(new UnsupportedOperationException());
        }
    }
}
