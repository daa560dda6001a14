package dev.kvorum.node.transfer;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.change.Gain;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A change of the members as it goes on at this node: what it gains, and what of that is in work. Not for several threads. */
final class RunningChange {
    private final String self;
    private final int replicationFactor;
    private final Placement current;
    private final List<Gain> gains;
    private final TransferProgress progress;
    private final BitSet inWork = new BitSet();
    private int next;

    /** @param gains of this node, in the order of partitions */
    RunningChange(ClusterView view, List<Gain> gains, TransferProgress progress) {
        this.self = view.self();
        this.replicationFactor = view.topology().replicationFactor();
        this.current = view.current();
        this.gains = gains;
        this.progress = progress;
        this.next = gains.isEmpty() ? 0 : Math.floorMod(self.hashCode(), gains.size()); // Those who join begin apart.
    }

    /** Whether it is this very one, and not another of the same members, or none. */
    @SuppressWarnings("ReferenceEquality") // That is what is asked.
    boolean isSameAs(@Nullable RunningChange other) {
        return this == other;
    }

    TransferProgress progress() {
        return progress;
    }

    int partitions() {
        return gains.size();
    }

    int verified() {
        return (int) gains.stream()
                .filter(gain -> progress.isVerified(gain.partition()))
                .count();
    }

    void settle(Set<String> gone) {
        progress.settle(gone);
    }

    /** Whether there is something to do that nobody does yet. */
    boolean hasWork() {
        return progress.isSettled() && gains.stream().anyMatch(this::isOpen);
    }

    private boolean isOpen(Gain gain) {
        return !progress.isVerified(gain.partition()) && !inWork.get(gain.partition());
    }

    /** The next partition to be worked on, which is in work from now on; null if there is none. */
    @Nullable
    Gain take() {
        for (int i = 0; progress.isSettled() && i < gains.size(); i++) {
            Gain gain = gains.get(next);
            next = (next + 1) % gains.size();
            if (isOpen(gain)) {
                inWork.set(gain.partition());
                return gain;
            }
        }
        return null;
    }

    void release(Gain gain) {
        inWork.clear(gain.partition());
    }

    /**
     * Whether all of it is asked for before anything is compared. Where this node has taken part in writes since the change began, it holds some cells; listing those
     * that it lacks one by one would cost more than it saves.
     */
    boolean streams(Gain gain) {
        return gain.brings(replicationFactor)
                && !progress.isStreamed(gain.partition())
                && !sources(gain).isEmpty();
    }

    /** All that own a partition before the change, but this node and those that are gone. */
    List<Member> sources(Gain gain) {
        return current.order(gain.partition()).stream()
                .filter(member -> !member.id().equals(self) && !progress.isGone(member.id()))
                .toList();
    }

    /** Whom all of it is asked for: one of those who hold it, another for each partition. */
    Member streamedFrom(Gain gain) {
        List<Member> owners = sources(gain);
        return owners.get(gain.partition() % Math.min(owners.size(), replicationFactor));
    }
}
