package dev.kvorum.node.transfer;

import dev.kvorum.node.copy.CopyUnavailableException;
import dev.kvorum.node.repair.PartitionSync;
import dev.kvorum.node.repair.SyncReport;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Moves nothing: says what it was asked for, and answers when it is told to. */
final class ManualSync implements PartitionSync {
    final List<Integer> streamed = new ArrayList<>();
    final Map<Integer, List<String>> gathered = new LinkedHashMap<>();
    final List<Integer> given = new CopyOnWriteArrayList<>();
    private final List<MonoSink<SyncReport>> held = new CopyOnWriteArrayList<>();
    private volatile boolean holding;
    volatile String slowness = "";
    final Set<Integer> rebuilding = new CopyOnWriteArraySet<>();
    private final AtomicInteger failures = new AtomicInteger();

    /** From now on nothing is answered until {@link #release}. */
    void hold() {
        holding = true;
    }

    void release() {
        holding = false;
        List<MonoSink<SyncReport>> waiting = List.copyOf(held);
        held.clear();
        waiting.forEach(sink -> sink.success(new SyncReport(0, 0)));
    }

    int underWay() {
        return held.size();
    }

    /** So many fail that follow. */
    void fail(int next) {
        failures.set(next);
    }

    private Mono<SyncReport> answer(long cells) {
        if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return Mono.error(
                    new CopyUnavailableException(new ReplicaFailure("n1", Reason.UNREACHABLE, "as the test says")));
        }
        return holding ? Mono.create(held::add) : Mono.just(new SyncReport(cells, 100 * cells));
    }

    @Override
    public Mono<SyncReport> stream(int partition, Member from) {
        return Mono.defer(() -> {
            streamed.add(partition);
            return answer(10);
        });
    }

    @Override
    public Mono<SyncReport> gather(int partition, List<Member> from) {
        return Mono.defer(() -> {
            gathered.put(partition, from.stream().map(Member::id).sorted().toList());
            return answer(0);
        });
    }

    @Override
    public boolean isRebuilding(int partition) {
        return rebuilding.contains(partition);
    }

    @Override
    public String slowness() {
        return slowness;
    }

    @Override
    public Mono<SyncReport> give(int partition) {
        return Mono.defer(() -> {
            given.add(partition);
            return answer(0);
        });
    }
}
