package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.ReadSettings.Placement;
import dev.kvorum.node.config.ReadSettings.Repair;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.repair.ReadRepair;
import dev.kvorum.node.repair.ReadRepairMetrics;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Replies by two threads, deadlines by a third and clients that go away, all at the same time: every read has one outcome, and a right one. */
@Timeout(60)
class RacingReadsTest {
    private static final int READS = 20_000;
    private static final Quorum QUORUM = new Quorum(2, 4);
    private static final Cell CELL = Draft.ofValue(new byte[] {7}).stamp(new Version(1 << 16, 7), 3);
    private static final Cell OLD = Draft.ofValue(new byte[] {6}).stamp(new Version(1, 7), 3);

    private final long seed = System.nanoTime();
    private final AtomicLong nanos = new AtomicLong();
    private final Deadlines deadlines = new Deadlines(nanos::get, () -> {});
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final Map<String, ObservedReplica> replicas = new ConcurrentHashMap<>();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger twice = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile boolean mendsFirst;

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
        public Mono<ReadReply> read(Key key, long epoch) {
            return call(false).cast(ReadReply.class);
        }

        private Mono<Object> call(boolean write) {
            return Mono.create(sink -> waiting.add(new Waiting(member, write, sink)));
        }
    }

    private ReadCoordinator reads(FanOut fanOut, boolean cancels, Repair repair) {
        Membership membership = new Membership("n1", Topologies.of(1, "n1", "n2", "n3", "n4"));
        ReadSettings settings = new ReadSettings(
                ReadSettings.FanOut.HEDGED,
                cancels,
                Placement.NEAR,
                Duration.ofMillis(1),
                Duration.ofMillis(2),
                100,
                repair,
                100);
        Mending mending = new Mending(settings, new ReadRepair(new ReadRepairMetrics(meters)));
        ReadOrder order = new ReadOrder(
                Placement.NEAR, bound -> ThreadLocalRandom.current().nextInt(bound));
        ReplicaPlans plans = new ReplicaPlans(
                membership,
                member -> replicas.computeIfAbsent(
                        member.id(), id -> ObservedReplicas.of(new Racing(id), member.zone(), deadlines::now)),
                order);
        HybridClock clock = new HybridClock(() -> 1, 42, Duration.ofSeconds(10), 0);
        ReadPolicy policy = new ReadPolicy(
                Duration.ofMillis(20), fanOut, new Hedging(settings), cancels, mending, new ManualRoom());
        return new ReadCoordinator(plans, clock, () -> 1, deadlines, policy, new ReadMetrics(meters, fanOut));
    }

    @ParameterizedTest
    @CsvSource({
        "true,true,BACKGROUND",
        "true,false,OFF",
        "false,true,OFF",
        "false,false,BACKGROUND",
        "true,true,BLOCKING",
        "false,true,BLOCKING",
        "false,false,BLOCKING"
    })
    void everyReadHasExactlyOneOutcome(boolean all, boolean cancels, Repair repair) throws InterruptedException {
        ReadCoordinator reads = reads(all ? FanOut.ALL : FanOut.HEDGED, cancels, repair);
        mendsFirst = repair == Repair.BLOCKING;
        List<Thread> threads = new ArrayList<>();
        threads.add(Thread.ofPlatform().start(() -> reply(new Random(seed))));
        threads.add(Thread.ofPlatform().start(() -> reply(new Random(seed + 1))));
        threads.add(Thread.ofPlatform().start(this::sweep));

        Random random = new Random(seed + 2);
        for (int i = 0; i < READS; i++) {
            read(reads, random);
            while (open.get() > 200) {
                Thread.onSpinWait();
            }
        }
        while (open.get() > 0) {
            Thread.onSpinWait(); // The deadline ends them all.
        }
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(twice).as("told twice, seed " + seed).hasValue(0);
        assertThat(wrong).as("wrong outcomes, seed " + seed).hasValue(0);
        while (!waiting.isEmpty()) {
            Waiting late = waiting.remove();
            late.sink().success(late.success(new Random(seed)));
        }
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(deadlines.sweep()).isEqualTo(Deadlines.NEVER);
        assertThat(replicas.values())
                .as("no call is left, seed " + seed)
                .allSatisfy(replica -> assertThat(replica.health().inFlight()).isZero());
        assertThat(counted("sent"))
                .as("each hedge has won or was wasted")
                .isEqualTo(counted("won") + counted("wasted"));
    }

    private double counted(String what) {
        return meters.get("kvorum.read.hedges." + what).counter().count();
    }

    private void read(ReadCoordinator reads, Random random) {
        open.incrementAndGet();
        AtomicInteger told = new AtomicInteger();
        AtomicBoolean closed = new AtomicBoolean();
        var client = reads.read(Key.of("key-" + random.nextInt(50)), QUORUM).subscribe(outcome -> {
            twice.addAndGet(told.getAndIncrement());
            close(closed);
            check(outcome);
        });
        if (random.nextInt(10) == 0) {
            client.dispose();
            close(closed);
        }
    }

    private void close(AtomicBoolean closed) {
        if (closed.compareAndSet(false, true)) {
            open.decrementAndGet();
        }
    }

    private void check(ReadOutcome outcome) {
        boolean right = switch (outcome) {
            case ReadOutcome.Found found -> found.acks() == 2;
            case ReadOutcome.Absent absent -> false;
            case ReadOutcome.Unavailable unavailable ->
                unavailable.shortfall().failures().size() == 3
                        || (mendsFirst && unavailable.shortfall().acks() < 2);
            case ReadOutcome.TimedOut late -> late.shortfall().acks() < 2;
            case ReadOutcome.Rejected rejected -> false;
        };
        if (!right) {
            wrong.incrementAndGet();
        }
    }

    private void reply(Random random) {
        while (!over.get()) {
            Waiting call = waiting.poll();
            if (call == null) {
                Thread.onSpinWait();
            } else if (random.nextInt(20) == 0) {
                waiting.add(call); // Later.
            } else if (random.nextInt(4) == 0) {
                call.sink().success(new ReplicaFailure(call.member(), Reason.REFUSED, "as the test says"));
            } else {
                call.sink().success(call.success(random));
            }
        }
    }

    private void sweep() {
        while (!over.get()) {
            nanos.addAndGet(Duration.ofMillis(1).toNanos() / 10);
            deadlines.sweep();
        }
    }
}
