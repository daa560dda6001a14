package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.coordinator.InFlight;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.HintMetrics;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.hint.ManualHintStore;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.Floors;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.ReplicaMetrics;
import dev.kvorum.node.replica.Served;
import dev.kvorum.node.storage.CellStore;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Members with their registers in memory, on one thread and on a time of their own. Calls and replies between them lie in one heap, from which chance takes the
 * next one, and loses or doubles some.
 */
final class RegisterCluster {
    static final Key KEY = Key.of("cart-7");
    private static final long START_MILLIS = 1_700_000_000_000L;
    private static final long TICK_NANOS = 1_000_000;
    private static final Duration AHEAD_MAX = Duration.ofSeconds(10);
    private static final long CALL_NANOS_MAX = 400 * TICK_NANOS;

    final Random random;
    final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<Runnable> heap = new ArrayList<>();
    double loss;
    double doubling;
    private long nanos;

    RegisterCluster(long seed, Topology topology, List<String> names) {
        this.random = new Random(seed);
        names.forEach(name -> nodes.put(name, new Node(name, topology)));
    }

    Node node(String name) {
        return Objects.requireNonNull(nodes.get(name));
    }

    Node any() {
        return List.copyOf(nodes.values()).get(random.nextInt(nodes.size()));
    }

    /** Delivers one message, or lets time pass. */
    void step() {
        if (heap.isEmpty() || random.nextInt(12) == 0) {
            nanos += TICK_NANOS;
            nodes.values().forEach(node -> node.deadlines.sweep());
        } else {
            take(random.nextInt(heap.size())).run();
        }
    }

    private Runnable take(int index) {
        Runnable message = heap.get(index);
        heap.set(index, heap.getLast());
        heap.removeLast();
        return message;
    }

    /** Delivers what is under way now, but not what that brings about. */
    void deliver() {
        List<Runnable> now = List.copyOf(heap);
        heap.clear();
        now.forEach(Runnable::run);
    }

    /** Delivers until nothing is under way, in no time. */
    void deliverAll() {
        while (!heap.isEmpty()) {
            deliver();
        }
    }

    /** A tick of the clock, and all that comes of it. */
    void tick() {
        nanos += TICK_NANOS;
        nodes.values().forEach(node -> node.deadlines.sweep());
        deliverAll();
    }

    /** All processes stand still for so long: what was under way lies ready then, and is handled before the deadlines are. */
    void freeze(Duration time) {
        nanos += time.toNanos();
    }

    void pass(Duration time) {
        long end = nanos + time.toNanos();
        while (nanos < end) {
            step();
        }
    }

    long now() {
        return nanos;
    }

    private void send(Runnable message) {
        if (random.nextDouble() >= loss) {
            heap.add(message);
        }
        if (random.nextDouble() < doubling) {
            heap.add(message);
        }
    }

    /** One member. Its disk outlives its process. */
    final class Node {
        final String name;
        final Membership membership;
        MemoryRegisters registers = new MemoryRegisters();
        final ManualHintStore hints = new ManualHintStore();
        final Deadlines deadlines = new Deadlines(() -> nanos, () -> {});
        long skewMillis;
        int life;
        boolean isUp = true;
        Rebirth rebirth = Rebirth.NEVER;
        HybridClock clock;
        Acceptor acceptor;
        RegisterCoordinator coordinator;
        Settling settling;
        RegisterParts parts;
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        DoubleSupplier chance = random::nextDouble;
        /** Whether a refusal for its epoch tells it of a newer one. */
        boolean learns = true;

        private RegisterService service;

        Node(String name, Topology topology) {
            this.name = name;
            this.membership = new Membership(name, topology);
            this.clock = clock(0);
            this.acceptor = acceptor();
            this.service = new RegisterService(acceptor);
            parts = parts();
            this.coordinator = new RegisterCoordinator(parts);
            this.settling = new Settling(registers, parts, coordinator, acceptor);
        }

        private long wallMillis() {
            return START_MILLIS + nanos / TICK_NANOS + skewMillis;
        }

        private HybridClock clock(long floor) {
            return new HybridClock(this::wallMillis, name.hashCode() * 31L + life, AHEAD_MAX, floor);
        }

        private Acceptor acceptor() {
            LocalReplica local = new LocalReplica(
                    membership,
                    new NoCells(),
                    clock,
                    new ReplicaMetrics(new SimpleMeterRegistry()),
                    new Floors(0, () -> 0),
                    partition -> false);
            return new Acceptor(local, membership, registers, clock, this::wallMillis, rebirth);
        }

        private RegisterParts parts() {
            meters = new SimpleMeterRegistry();
            int bornIn = life;
            return new RegisterParts(
                    new Electorates(
                            membership,
                            acceptor,
                            (member, operation, epoch, body) ->
                                    Mono.create(sink -> call(bornIn, member, operation, epoch, body, sink))),
                    clock,
                    this::wallMillis,
                    Duration.ofSeconds(3),
                    deadlines,
                    () -> chance.getAsDouble(),
                    new InFlight(),
                    new Hints(hints, new HintMetrics(meters, hints, this::wallMillis)),
                    new RegisterMetrics(meters));
        }

        /** The process ends and another one begins: what it had under way comes to nothing. */
        void restart() {
            life++;
            clock = clock(clock.newest());
            acceptor = acceptor();
            service = new RegisterService(acceptor);
            parts = parts();
            coordinator = new RegisterCoordinator(parts);
            settling = new Settling(registers, parts, coordinator, acceptor);
        }

        /** Its disk is lost, which it knows: it rebuilds everything. */
        void loseDisk() {
            registers = new MemoryRegisters();
            long floor = wallMillis() + AHEAD_MAX.toMillis();
            rebirth = new Rebirth(partition -> true, partition -> true, () -> floor, () -> 0);
            restart();
        }

        /** Its machine loses power, which it knows: the last cells may be gone, its rows are there. */
        void losePower() {
            rebirth = new Rebirth(partition -> true, partition -> false, () -> 0, () -> 0);
            restart();
        }

        /** It was removed while it was down, and is added again with its disk. */
        void comeBack(long epoch) {
            rebirth = new Rebirth(partition -> false, partition -> false, () -> 0, () -> epoch);
            restart();
        }

        private void call(
                int callersLife,
                Member to,
                PeerOperation operation,
                long epoch,
                byte[] body,
                MonoSink<CallReply> sink) {
            if (callersLife != life) {
                return; // A process that has ended sends nothing.
            }
            Node other = node(to.id());
            var _ = deadlines
                    .after(CALL_NANOS_MAX)
                    .subscribe(
                            none -> {},
                            sink::error,
                            () -> sink.success(new ReplicaFailure(to.id(), Reason.TIMED_OUT, "lost")));
            send(() -> other.serve(
                    operation,
                    epoch,
                    body,
                    reply -> send(() -> {
                        if (callersLife == life) {
                            learn(reply, other);
                            sink.success(reply);
                        }
                    })));
        }

        private void serve(PeerOperation operation, long epoch, byte[] body, Consumer<CallReply> reply) {
            if (isUp) {
                var _ = Served.by(service::serve).call(operation, body, epoch).subscribe(reply);
            }
        }

        /** As an exchange of topologies brings it about. */
        private void learn(CallReply reply, Node other) {
            if (learns && reply instanceof ReplicaFailure failure) {
                switch (failure.reason()) {
                    case STALE -> membership.offer(other.membership.view().topology());
                    case BEHIND -> other.membership.offer(membership.view().topology());
                    default -> {}
                }
            }
        }

        double count(String meter, String... tags) {
            return meters.get(meter).tags(tags).counter().count();
        }

        int partition() {
            return membership.view().partitionOf(KEY);
        }

        @Nullable
        Cell cell() {
            return registers.cell(partition(), KEY);
        }
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
