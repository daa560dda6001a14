package dev.kvorum.node.hint;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.ReplicaHealth;
import dev.kvorum.node.replica.ReplicaMetrics;
import dev.kvorum.node.replica.WriteReply;
import dev.kvorum.topology.Member;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A replica on each member, as coordinators see it: it takes what it is sent, unless the test says otherwise. */
final class ManualMembers {
    /** One of them. */
    static final class ManualMember implements Replica {
        private final String id;
        /** The cells it was sent, taken or not. */
        final List<Cell> sent = new ArrayList<>();
        /** The cells it has taken. */
        final List<Cell> taken = new ArrayList<>();
        /** Calls that wait for {@link #answer}, most of them at a time. */
        int waitingMost;
        /** What it answers; null for that it takes what it is sent. */
        @Nullable
        Reason reason;
        /** A cell that it never takes. */
        @Nullable
        Cell poison;
        /** Whether it answers only when the test says so. */
        boolean frozen;

        private final List<Sinks.One<WriteReply>> waiting = new ArrayList<>();

        ManualMember(String id) {
            this.id = id;
        }

        @Override
        public String member() {
            return id;
        }

        @Override
        public Mono<WriteReply> bring(Key key, Cell cell, long epoch) {
            return Mono.defer(() -> {
                sent.add(cell);
                if (frozen) {
                    Sinks.One<WriteReply> answer = Sinks.one();
                    waiting.add(answer);
                    waitingMost = Math.max(waitingMost, waiting.size());
                    return answer.asMono();
                }
                return Mono.just(reply(cell));
            });
        }

        @Override
        public Mono<WriteReply> write(Key key, Cell cell, long epoch) {
            throw new AssertionError("no client has just written this");
        }

        private WriteReply reply(Cell cell) {
            Reason why = cell.equals(poison) ? Reason.BROKEN : reason;
            if (why != null) {
                return new ReplicaFailure(id, why, "as the test says");
            }
            taken.add(cell);
            return new WriteReply.Stored(id);
        }

        /** Answers all calls that wait with that failure. */
        void answer(Reason failure) {
            List<Sinks.One<WriteReply>> now = List.copyOf(waiting);
            waiting.clear();
            now.forEach(call -> call.emitValue(
                    new ReplicaFailure(id, failure, "as the test says"), Sinks.EmitFailureHandler.FAIL_FAST));
        }

        @Override
        public Mono<ReadReply> read(Key key, long epoch, long waitNanos) {
            return Mono.just(new ReadReply.Absent(id));
        }
    }

    private final LongSupplier nanos;
    private final Map<String, ManualMember> members = new HashMap<>();
    private final Map<String, ObservedReplica> observed = new HashMap<>();

    ManualMembers(LongSupplier nanos) {
        this.nanos = nanos;
    }

    ManualMember get(String id) {
        return members.computeIfAbsent(id, ManualMember::new);
    }

    /** The replica as a coordinator sees it. */
    ObservedReplica on(Member member) {
        return observed.computeIfAbsent(member.id(), id -> {
            ReplicaHealth health = new ReplicaHealth(() -> 0, (state, why) -> {}, nanos.getAsLong());
            return new ObservedReplica(
                    get(id), member.zone(), health, nanos, new ReplicaMetrics(new SimpleMeterRegistry()));
        });
    }
}
