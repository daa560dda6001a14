package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;

/** The publishers of replies beside what they stand for, made of Reactor's own operators: the same calls, cancellations and signals under random schedules. */
class RepliesTest {
    private static final int SCHEDULES = 300;
    private static final int STEPS_MAX = 30;
    private static final Duration DEADLINE = Duration.ofMillis(200);
    private static final Key KEY = Key.of("cart-7");
    private static final Cell CELL =
            Draft.ofValue(new byte[] {7}).stamp(KEY, new Version((ManualCluster.NOW << 16) + 1, 7), 4);

    /** Four replicas, what they are told to do, and what happened after each step. */
    private static final class Schedule {
        final ManualCluster cluster = new ManualCluster();
        final List<ManualReplica> replicas = List.of(cluster.n1, cluster.n2, cluster.n3, cluster.n4);
        final List<String> log = new ArrayList<>();
        private final Random random;
        private final Set<ManualReplica> answered = new HashSet<>();

        Schedule(long seed) {
            this.random = new Random(seed);
            cluster.membership.offer(Topologies.of(2, "n1", "n2", "n3", "n4"));
            cluster.fanOut = random.nextBoolean() ? FanOut.ALL : FanOut.HEDGED;
        }

        Quorum quorum() {
            return new Quorum(1 + random.nextInt(4), 4);
        }

        void run(Client<?> client) {
            for (int i = 0; i < STEPS_MAX && !client.ended; i++) {
                int before = log.size();
                step(client);
                log.subList(before, log.size())
                        .sort(null); // A reply may have others asked that reply at once, in any order.
                logReplicas();
            }
            cluster.timer.advanceTimeBy(DEADLINE.plusMillis(2));
            logReplicas();
        }

        private void step(Client<?> client) {
            ManualReplica replica = replicas.get(random.nextInt(4));
            switch (random.nextInt(10)) {
                case 0 -> client.cancel();
                case 1, 2, 3 -> cluster.timer.advanceTimeBy(Duration.ofMillis(random.nextInt(30)));
                case 4, 5, 6 -> answer(replica, false);
                default -> answer(replica, true);
            }
        }

        private void answer(ManualReplica replica, boolean succeeds) {
            if (!answered.add(replica)) {
                return;
            }
            if (succeeds) {
                replica.finds(CELL);
                replica.stores();
            } else {
                replica.fails(Reason.BROKEN);
            }
        }

        private void logReplicas() {
            for (ManualReplica replica : replicas) {
                log.add(replica.member() + " read " + replica.reads() + ", sent "
                        + replica.written().size() + (replica.isCancelled() ? ", cancelled" : ""));
            }
        }
    }

    private static final class Client<T> extends BaseSubscriber<T> {
        private final List<String> log;
        private boolean ended;

        Client(List<String> log) {
            this.log = log;
        }

        @Override
        protected void hookOnNext(T reply) {
            log.add(reply.toString());
        }

        @Override
        protected void hookOnComplete() {
            log.add("complete");
        }

        @Override
        protected void hookFinally(SignalType end) {
            ended = true;
        }
    }

    /** Parallel calls by flatMap, the further ones from a sink, and a timer for each. */
    private static final class ReactorsReads {
        private final ManualCluster cluster;
        private final ReplicaPlan plan;
        private final boolean[] hopedFor = new boolean[4];
        private final boolean[] replied = new boolean[4];
        private final Sinks.Many<Integer> more = Sinks.many().unicast().onBackpressureBuffer();
        private int wanted;
        private int asked;

        ReactorsReads(ManualCluster cluster, ReplicaPlan plan) {
            this.cluster = cluster;
            this.plan = plan;
            this.wanted = plan.first();
        }

        Flux<ReadReply> replies() {
            return Flux.concat(Flux.range(0, plan.first()), more.asFlux())
                    .flatMap(this::call)
                    .concatMap(reply -> Flux.concat(Mono.just(reply), askAnotherAfter(reply)))
                    .take(4)
                    .takeUntilOther(cluster.deadlines.after(DEADLINE.toNanos()));
        }

        private Flux<ReadReply> call(int index) {
            asked++;
            hopedFor[index] = true;
            Mono<ReadReply> reply = plan.replicas()
                    .get(index)
                    .read(KEY, plan.epoch())
                    .doOnNext(told -> {
                        replied[index] = true;
                        hopedFor[index] = !(told instanceof ReplicaFailure);
                        askAnotherIfNeeded();
                    });
            Mono<ReadReply> late = cluster.deadlines
                    .after(ManualCluster.DELAY_MAX.toNanos())
                    .then(Mono.fromRunnable(() -> {
                        hopedFor[index] &= replied[index];
                        askAnotherIfNeeded();
                    }));
            return Flux.merge(reply, late);
        }

        private Mono<ReadReply> askAnotherAfter(ReadReply reply) {
            return reply instanceof ReplicaFailure ? Mono.fromRunnable(this::askAnotherIfNeeded) : Mono.empty();
        }

        private void askAnotherIfNeeded() {
            int hopes = wanted - asked;
            for (boolean hoped : hopedFor) {
                hopes += hoped ? 1 : 0;
            }
            if (hopes < plan.quorum().ack() && wanted < 4) {
                more.tryEmitNext(wanted++).orThrow();
            }
        }
    }

    private static List<String> reads(long seed, boolean fused) {
        Schedule schedule = new Schedule(seed);
        ManualCluster cluster = schedule.cluster;
        ReadPolicy policy = cluster.reads().policy();
        ReplicaPlan plan = cluster.plans()
                .forRead(KEY, AskedQuorums.said(schedule.quorum()), cluster.fanOut.breadth(), cluster.deadlines.now());
        long deadline = cluster.deadlines.now() + DEADLINE.toNanos();
        ReadMetrics metrics = new ReadMetrics(cluster.meters, cluster.fanOut);
        Client<ReadReply> client = new Client<>(schedule.log);
        Flux<ReadReply> replies = fused
                ? new ReadReplies(KEY, plan, deadline, cluster.deadlines, policy, metrics)
                : new ReactorsReads(cluster, plan).replies();
        replies.subscribe(client);
        schedule.run(client);
        return schedule.log;
    }

    @Test
    void repliesToReadsAreThoseOfReactorsOperators() {
        long seed = System.nanoTime();
        for (int i = 0; i < SCHEDULES; i++, seed++) {
            assertThat(reads(seed, true)).as("seed " + seed).isEqualTo(reads(seed, false));
        }
    }

    /** What the rest is told, in a log. */
    private record LoggedRest(List<String> log) implements WriteReplies.Rest {
        @Override
        public boolean isWanted() {
            return true;
        }

        @Override
        public void replied(WriteReply reply) {
            log.add("rest: " + reply);
        }

        @Override
        public void left() {
            log.add("left");
        }
    }

    /** Parallel calls by flatMap, published to the client and to the rest. */
    private static Flux<WriteReply> reactorsWrites(
            ManualCluster cluster,
            List<ObservedReplica> replicas,
            Function<ObservedReplica, Mono<WriteReply>> call,
            WriteReplies.Rest rest,
            Client<WriteReply> client) {
        Flux<WriteReply> published = Flux.fromIterable(replicas)
                .flatMap(replica -> call.apply(replica).cache()) // No call is ever cancelled.
                .takeUntilOther(cluster.deadlines.after(DEADLINE.toNanos()))
                .publish()
                .autoConnect(2);
        var _ = published.subscribe(
                reply -> {
                    if (client.ended) {
                        rest.replied(reply);
                    }
                },
                bug -> {},
                rest::left);
        return published;
    }

    private static List<String> writes(long seed, boolean fused) {
        Schedule schedule = new Schedule(seed);
        ManualCluster cluster = schedule.cluster;
        ReplicaPlan plan = cluster.plans().forWrite(KEY, AskedQuorums.said(schedule.quorum()));
        long deadline = cluster.deadlines.now() + DEADLINE.toNanos();
        Function<ObservedReplica, Mono<WriteReply>> call = replica -> replica.write(KEY, CELL, plan.epoch());
        Client<WriteReply> client = new Client<>(schedule.log);
        LoggedRest rest = new LoggedRest(schedule.log);
        Flux<WriteReply> replies = fused
                ? new WriteReplies(plan.replicas(), call, deadline, cluster.deadlines, rest)
                : reactorsWrites(cluster, plan.replicas(), call, rest, client);
        replies.subscribe(client);
        schedule.run(client);
        return schedule.log;
    }

    @Test
    void repliesToWritesAreThoseOfReactorsOperators() {
        long seed = System.nanoTime();
        for (int i = 0; i < SCHEDULES; i++, seed++) {
            assertThat(writes(seed, true)).as("seed " + seed).isEqualTo(writes(seed, false));
        }
    }

    @Test
    void repliesThatArriveWhileTheListenerLeavesAreOfTheRest() {
        ManualCluster cluster = new ManualCluster();
        ReplicaPlan plan = cluster.plans().forWrite(KEY, AskedQuorums.said(new Quorum(1, 3)));
        List<String> log = new ArrayList<>();
        WriteReplies replies = new WriteReplies(
                plan.replicas(),
                replica -> replica.write(KEY, CELL, plan.epoch()),
                cluster.deadlines.now() + DEADLINE.toNanos(),
                cluster.deadlines,
                new LoggedRest(log));
        replies.subscribe(new BaseSubscriber<WriteReply>() {
            @Override
            protected void hookOnNext(WriteReply reply) {
                log.add("listener: " + reply);
                cluster.n2.stores();
                cluster.n3.stores();
                cancel();
            }
        });

        cluster.n1.stores();

        assertThat(log)
                .hasSize(4)
                .startsWith("listener: " + new WriteReply.Stored("n1"))
                .endsWith("left");
        assertThat(log).contains("rest: " + new WriteReply.Stored("n2"), "rest: " + new WriteReply.Stored("n3"));
    }
}
