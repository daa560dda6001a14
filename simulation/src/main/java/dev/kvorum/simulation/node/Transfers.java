package dev.kvorum.simulation.node;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What has to be moved in one change: whoever gains a partition, or a better place among its owners, pulls it from each of those that own it now. Begun
 * again after a failure or a crash; done only when it is on the disk.
 */
final class Transfers {
    private static final int AT_ONCE = 4;

    private final Cluster cluster;
    private final int leftOutMax;
    private final Map<Move, State> states = new LinkedHashMap<>();

    private record Move(int partition, String to, Member from) {}

    /** How far a move is. */
    private static final class State {
        boolean isUnderWay;
        boolean isPulled;
        boolean isDone;
        int life; // In which it was begun.
        long logEnd; // Where the log ended when all was pulled.
    }

    /** @param leftOutMax how many members may be down and left out */
    Transfers(Cluster cluster, int leftOutMax) {
        this.cluster = cluster;
        this.leftOutMax = leftOutMax;
    }

    private void plan(Topology topology) {
        Placement current = Placement.current(topology);
        Placement next = Placement.next(topology);
        for (int partition = 0; partition < topology.partitions(); partition++) {
            List<Member> before = current.order(partition);
            List<String> order = ids(before);
            List<String> after = ids(next.order(partition));
            for (String to : after) {
                int place = order.indexOf(to);
                if (place < 0 || after.indexOf(to) < place) {
                    int moved = partition;
                    before.stream()
                            .filter(from -> !from.id().equals(to))
                            .forEach(from -> states.put(new Move(moved, to, from), new State()));
                }
            }
        }
    }

    private static List<String> ids(List<Member> members) {
        return members.stream().map(Member::id).toList();
    }

    /** Begins what can be begun, and says whether all is done. Every member goes by the topology that began the change. */
    boolean advance() {
        if (states.isEmpty()) {
            plan(cluster.topology());
        }
        states.forEach(this::look);
        List<Move> left = new ArrayList<>();
        states.forEach((move, state) -> {
            if (!state.isDone && !state.isPulled && !state.isUnderWay && !isLeftOut(move.from)) {
                left.add(move);
            }
        });
        long free = AT_ONCE
                - states.values().stream().filter(state -> state.isUnderWay).count();
        left.stream().limit(Math.max(0, free)).forEach(this::begin);
        return states.entrySet().stream().allMatch(entry -> entry.getValue().isDone || isLeftOut(entry.getKey().from));
    }

    /** The operator sees to it that no more are down than may be left out. */
    private boolean isLeftOut(Member from) {
        return leftOutMax > 0 && cluster.machine(from.id()).isDown();
    }

    private void look(Move move, State state) {
        Machine machine = cluster.machine(move.to);
        if (state.isDone) {
            return;
        }
        if (machine.life() != state.life || machine.process() == null) {
            state.isUnderWay = false;
            state.isPulled = false; // The process may have ended with its machine.
        } else if (state.isPulled && machine.disk().isOnDisk(state.logEnd)) {
            state.isDone = true;
        }
    }

    private void begin(Move move) {
        State state = states.get(move);
        Machine machine = cluster.machine(move.to);
        @Nullable NodeProcess process = machine.process();
        if (state == null || process == null) {
            return;
        }
        state.isUnderWay = true;
        state.life = machine.life();
        process.life().run(() -> {
            var _ = process.repair()
                    .pull(move.partition, move.from)
                    .subscribe(report -> pulled(state, machine), error -> state.isUnderWay = false);
        });
    }

    private static void pulled(State state, Machine machine) {
        state.isUnderWay = false;
        state.isPulled = true;
        state.logEnd = machine.disk().end();
    }
}
