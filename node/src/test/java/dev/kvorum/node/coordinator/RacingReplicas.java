package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.ReadSettings.Placement;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Four replicas whose replies come by two threads, in any order, and deadlines, newer epochs and clients' leaving by a third. */
final class RacingReplicas {
    private static final Key KEY = Key.of("cart-7");
    static final Cell CELL = Draft.ofValue(new byte[Room.COUNTED_MIN]).stamp(KEY, new Version(1 << 16, 7), 3);
    private static final Cell OLD = Draft.ofValue(new byte[] {6}).stamp(KEY, new Version(1, 7), 3);

    private static final int SWEEPS_PER_EPOCH = 2000;

    final long seed = System.nanoTime();
    final Membership membership = new Membership("n1", Topologies.of(1, "n1", "n2", "n3", "n4"));
    private final AtomicLong nanos = new AtomicLong();
    final Deadlines deadlines = new Deadlines(nanos::get, () -> {});
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final Map<String, ObservedReplica> replicas = new ConcurrentHashMap<>();
    private final Queue<Disposable> leaving = new ConcurrentLinkedQueue<>();
    private final LongAdder asked = new LongAdder();
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    private record Waiting(String member, boolean write, MonoSink<Object> sink) {
        Object success(Random random) {
            return write
                    ? new WriteReply.Stored(member)
                    : new ReadReply.Found(member, random.nextInt(8) == 0 ? OLD : CELL);
        }
    }

    private final class Racing implements Replica {
        private final String member;

        Racing(String member) {
            this.member = member;
        }

        @Override
        public String member() {
            return member;
        }

        @Override
        public Mono<WriteReply> write(Key key, Cell cell, long epoch) {
            return call(true).cast(WriteReply.class);
        }

        @Override
        public Mono<WriteReply> bring(Key key, Cell cell, long epoch) {
            return write(key, cell, epoch);
        }

        @Override
        public Mono<ReadReply> read(Key key, long epoch, long waitNanos) {
            return call(false).cast(ReadReply.class);
        }

        private Mono<Object> call(boolean write) {
            asked.increment();
            return Mono.create(sink -> waiting.add(new Waiting(member, write, sink)));
        }
    }

    ReplicaPlans plans() {
        return new ReplicaPlans(
                membership,
                member -> replicas.computeIfAbsent(
                        member.id(), id -> ObservedReplicas.of(new Racing(id), member.zone(), deadlines::now)),
                new ReadOrder(
                        Placement.NEAR,
                        ManualCluster.HEDGE_DELAY,
                        bound -> ThreadLocalRandom.current().nextInt(bound)),
                ManualCluster.HEDGE_DELAY);
    }

    void start() {
        threads.add(Thread.ofPlatform().start(() -> reply(new Random(seed))));
        threads.add(Thread.ofPlatform().start(() -> reply(new Random(seed + 1))));
        threads.add(Thread.ofPlatform().start(this::sweep));
    }

    /** Has a client go away at some time. */
    void leaves(Disposable client) {
        leaving.add(client);
    }

    /** How many calls have been made. */
    long asked() {
        return asked.sum();
    }

    private void reply(Random random) {
        while (!over.get()) {
            Waiting call = waiting.poll();
            if (call == null) {
                Thread.onSpinWait();
            } else if (random.nextInt(20) == 0) {
                waiting.add(call); // Later.
            } else if (random.nextInt(4) == 0) {
                Reason reason = random.nextInt(4) == 0 ? Reason.STALE : Reason.REFUSED;
                call.sink().success(new ReplicaFailure(call.member(), reason, "as the test says"));
            } else {
                call.sink().success(call.success(random));
            }
        }
    }

    private void sweep() {
        for (int i = 0; !over.get(); i++) {
            nanos.addAndGet(Duration.ofMillis(1).toNanos() / 10);
            deadlines.sweep();
            Disposable client = leaving.poll();
            if (client != null) {
                client.dispose();
            }
            if (i % SWEEPS_PER_EPOCH == 0) {
                long next = membership.view().epoch() + 1;
                membership.offer(Topologies.of(next, "n1", "n2", "n3", "n4"));
            }
        }
    }

    /** Ends the threads, and has all calls answered that have none. */
    void stop() throws InterruptedException {
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        for (Waiting late = waiting.poll(); late != null; late = waiting.poll()) {
            late.sink().success(late.success(new Random(seed)));
        }
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
    }

    /** How many calls are under way. */
    int calls() {
        return replicas.values().stream()
                .mapToInt(replica -> replica.health().inFlight())
                .sum();
    }
}
