package dev.kvorum.node.repair;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.topology.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Repairs one partition: this node compares its copy with that of each other member in turn, and exchanges what differs.
 *
 * <ol>
 *   <li>The trees of this node's copy are made, once for all others.
 *   <li>Each other is compared with, over the cells that both of them owe; where they differ, both get the newer.
 *   <li>If this node got something from one, those before may lack it: again from the beginning, at most {@value #ROUNDS_MAX} times.
 *   <li>If it got nothing from any, all of them are equal, as each is equal to this one. They are told, and note it.
 * </ol>
 *
 * <p>Only the first two owners see all there is to compare ({@link Ranks#VERIFYING}); another one mends what it can.
 *
 * <p>A member that can't be compared with does not keep the rest from being mended, but then nothing is verified. All members are asked, not only the
 * owners of most keys: a key may have as many copies as there are members.
 */
final class RepairRun {
    private static final Logger LOG = LoggerFactory.getLogger(RepairRun.class);
    private static final int ROUNDS_MAX = 4;

    private final ClusterView view;
    private final int rank;
    private final Scope scope;
    private final LocalCopy local;
    private final Function<Member, PartitionCopy> copies;
    private final Pace pace;
    private final RandomGenerator random;
    private final BooleanSupplier viewHolds;
    private final Map<String, Long> lost = new HashMap<>(); // Which disk of each member it is that is compared.
    private Exchanged total = Exchanged.NOTHING;

    /**
     * @param scope of the partition, whatever the copies
     * @param viewHolds whether the view is still the one in force
     */
    RepairRun(
            ClusterView view,
            Scope scope,
            LocalCopy local,
            Function<Member, PartitionCopy> copies,
            Pace pace,
            RandomGenerator random,
            BooleanSupplier viewHolds) {
        this.view = view;
        this.rank = Ranks.now(view, scope.partition(), view.self());
        this.scope = scope;
        this.local = local;
        this.copies = copies;
        this.pace = pace;
        this.random = random;
        this.viewHolds = viewHolds;
    }

    /** @param at the time up to which the partition counts as verified, in milliseconds since 1970 */
    Mono<RepairOutcome> carryOut(long at) {
        return rank < 0
                ? Mono.just(incomplete("this node owns no data"))
                : round(1, at).onErrorResume(e -> Mono.just(incomplete(String.valueOf(e.getMessage()))));
    }

    private Mono<RepairOutcome> round(int number, long at) {
        long seed = random.nextLong();
        lost.put(view.self(), local.lost());
        return local.trees(scope, seed)
                .flatMap(trees -> Flux.fromIterable(others())
                        .concatMap(other -> compared(other, trees, seed))
                        .reduce(Round.NOTHING, Round::plus))
                .flatMap(round -> {
                    total = total.plus(round.exchanged);
                    if (round.failure != null) {
                        return Mono.just(incomplete(round.failure));
                    }
                    if (round.exchanged.pulled() > 0) {
                        return number < ROUNDS_MAX
                                ? round(number + 1, at)
                                : Mono.just(incomplete("there is no end to it"));
                    }
                    if (rank >= Ranks.VERIFYING) {
                        return Mono.just(new RepairOutcome.Mended(scope.partition(), total));
                    }
                    return viewHolds.getAsBoolean() ? verified(at) : Mono.just(incomplete("the members have changed"));
                });
    }

    private List<Member> others() {
        List<Member> others = new ArrayList<>(view.placement().order(scope.partition()));
        others.removeIf(member -> member.id().equals(view.self()));
        return others;
    }

    private Mono<Round> compared(Member other, TreesByCopies trees, long seed) {
        int otherRank = Ranks.now(view, scope.partition(), other.id());
        Scope both = scope.above(Math.max(rank, otherRank));
        return new Comparison(local, copies.apply(other), both, new Strays(rank, otherRank), seed, pace)
                .reconcile(trees)
                .map(compared -> {
                    lost.put(other.id(), compared.lost());
                    return new Round(compared.exchanged(), null);
                })
                .onErrorResume(e -> Mono.just(new Round(Exchanged.NOTHING, String.valueOf(e.getMessage()))));
    }

    private Mono<RepairOutcome> verified(long at) {
        // What somebody lacked until now, or may lack, was not held by all for the grace period, whatever its age.
        boolean dropping = Ranks.isStable(view) && !total.doubt();
        long droppable = dropping ? scope.endedBefore() : Verifications.NEVER;
        Function<String, VerifiedCall> call = member -> new VerifiedCall(
                scope.partition(), scope.before(), at, droppable, Objects.requireNonNull(lost.get(member)));
        return Flux.fromIterable(others())
                .concatMap(other -> copies.apply(other)
                        .verified(call.apply(other.id()))
                        .onErrorResume(e -> {
                            LOG.debug(
                                    "{} was not told that partition {} is verified", other.id(), scope.partition(), e);
                            return Mono.empty();
                        }))
                .then(local.verified(call.apply(view.self())))
                .thenReturn(new RepairOutcome.Verified(scope.partition(), total, at));
    }

    private RepairOutcome incomplete(String reason) {
        return new RepairOutcome.Incomplete(scope.partition(), total, reason);
    }

    private record Round(Exchanged exchanged, @Nullable String failure) {
        static final Round NOTHING = new Round(Exchanged.NOTHING, null);

        Round plus(Round other) {
            return new Round(exchanged.plus(other.exchanged), failure == null ? other.failure : failure);
        }
    }
}
