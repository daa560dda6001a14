package dev.kvorum.node.repair;

import dev.kvorum.node.copy.PartitionCopy;
import dev.kvorum.node.copy.Scope;
import dev.kvorum.node.copy.Setback;
import dev.kvorum.node.copy.Strays;
import dev.kvorum.node.copy.TreesByCopies;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.verification.Verifications;
import dev.kvorum.node.verification.VerifiedCall;
import dev.kvorum.topology.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
 *   <li>If it gets something each time, as clients write all the while, nobody is equal; but each was given all that the others had in the beginning, which is what a member that has
 *       lost its disk waits for.
 * </ol>
 *
 * <p>Only the first two owners see all there is to compare ({@link Ranks#VERIFYING}); another one mends what it can. And the second does not where one holds of one copy what it need
 * not: whether the first owner has something newer it can't tell.
 *
 * <p>A cell whose version is further ahead than clocks may be is given to nobody, and does not keep the partition from being verified up to the present. But nobody counts as one that has regained
 * all that was lost while another has such a cell alone.
 *
 * <p>A member that can't be compared with does not keep the rest from being mended, but then nothing is verified. All members are asked, not only the
 * owners of most keys: a key may have as many copies as there are members.
 */
final class RepairRun {
    static final int ROUNDS_MAX = 4;

    private final ClusterView view;
    private final int rank;
    private final Scope scope;
    private final OwnSide own;
    private final Function<Member, PartitionCopy> copies;
    private final BooleanSupplier viewHolds;
    private final Map<String, Long> boots;
    private final Map<String, Long> bootsBefore;
    private final Map<String, Long> met = new HashMap<>();
    private Exchanged total = Exchanged.NOTHING;
    private long droppableByAll;

    /**
     * @param scope of the partition, whatever the copies
     * @param boots which process of each member was met last, by any run; this one adds to it
     * @param viewHolds whether the view is still the one in force
     */
    RepairRun(
            ClusterView view,
            Scope scope,
            OwnSide own,
            Function<Member, PartitionCopy> copies,
            Map<String, Long> boots,
            BooleanSupplier viewHolds) {
        this.view = view;
        this.rank = Ranks.now(view, scope.partition(), view.self());
        this.scope = scope;
        this.droppableByAll = scope.endedBefore();
        this.own = own;
        this.copies = copies;
        this.boots = boots;
        this.bootsBefore = Map.copyOf(boots);
        this.viewHolds = viewHolds;
    }

    /** @param at the time up to which the partition counts as verified, in milliseconds since 1970 */
    Mono<RepairOutcome> carryOut(long at) {
        return rank < 0
                ? Mono.just(incomplete("this node owns no data"))
                : round(1, at).onErrorResume(e -> Mono.just(incomplete(inWords(e))));
    }

    private String inWords(Throwable e) {
        return Setback.inWords(scope.partition(), e);
    }

    private Mono<RepairOutcome> round(int number, long at) {
        long seed = own.nextSeed();
        return own.copy()
                .trees(scope, seed)
                .flatMap(trees -> Flux.fromIterable(others())
                        .concatMap(other -> compared(other, trees, seed))
                        .reduce(Round.NOTHING, Round::plus))
                .flatMap(round -> {
                    total = total.plus(round.exchanged);
                    if (round.failure != null) {
                        return Mono.just(incomplete(round.failure));
                    }
                    boolean equal = round.exchanged.pulled() == 0;
                    return !equal && number < ROUNDS_MAX ? round(number + 1, at) : ended(equal, at);
                });
    }

    private Mono<RepairOutcome> ended(boolean equal, long at) {
        if (rank >= Ranks.VERIFYING || total.unseen()) {
            return Mono.just(new RepairOutcome.Mended(scope.partition(), total));
        }
        if (!viewHolds.getAsBoolean()) {
            return Mono.just(incomplete("the members have changed"));
        }
        return equal ? verified(at) : regained();
    }

    private List<Member> others() {
        List<Member> others = new ArrayList<>(view.placement().order(scope.partition()));
        others.removeIf(member -> member.id().equals(view.self()));
        return others;
    }

    private Mono<Round> compared(Member other, TreesByCopies trees, long seed) {
        int otherRank = Ranks.now(view, scope.partition(), other.id());
        Scope both = scope.above(Math.max(rank, otherRank));
        return own.with(copies.apply(other), both, new Strays(rank, otherRank), seed)
                .reconcile(trees)
                .map(compared -> {
                    met.putIfAbsent(other.id(), compared.boot());
                    boots.put(other.id(), compared.boot());
                    droppableByAll = Math.min(droppableByAll, compared.droppableBefore());
                    return new Round(compared.exchanged(), null);
                })
                .onErrorResume(e -> Mono.just(new Round(Exchanged.NOTHING, inWords(e))));
    }

    /** All hold the same, up to that time. Where one of them takes no note of it this node does not either, and compares again. */
    private Mono<RepairOutcome> verified(long at) {
        // What somebody lacks until now is not held by all for the grace period, whatever its age.
        boolean dropping = Ranks.isStable(view) && !scope.hasEnded(total.lacked());
        long droppable = dropping ? droppableByAll : Verifications.NEVER;
        return tell(at, droppable)
                .flatMap(refusals -> refusals.isEmpty()
                        ? tellHere(at, droppable)
                                .thenReturn((RepairOutcome) new RepairOutcome.Verified(scope.partition(), total, at))
                        : Mono.just(incomplete(refusals.getFirst())));
    }

    /** Writes came between, each time: they are not equal, but have what each of the others had in the beginning. */
    private Mono<RepairOutcome> regained() {
        return tell(Verifications.NEVER, Verifications.NEVER)
                .then(tellHere(Verifications.NEVER, Verifications.NEVER))
                .thenReturn(incomplete("there is no end to it"));
    }

    /** Tells the others; returns why any of them took no note. */
    private Mono<List<String>> tell(long at, long droppable) {
        return Flux.fromIterable(others())
                .concatMap(other -> copies.apply(other)
                        .verified(call(Objects.requireNonNull(met.get(other.id())), isMetBefore(other), at, droppable))
                        .then(Mono.<String>empty())
                        .onErrorResume(e -> Mono.just(other.id() + " took no note: " + inWords(e))))
                .collectList();
    }

    /** Whoever began anew in the middle of this run may lack what another was asked for before: so its process has to be one that was met before it. */
    private boolean isMetBefore(Member other) {
        return Objects.equals(met.get(other.id()), bootsBefore.get(other.id()));
    }

    private Mono<Void> tellHere(long at, long droppable) {
        return own.copy().verified(call(own.copy().boot(), true, at, droppable));
    }

    private VerifiedCall call(long boot, boolean isMetBefore, long at, long droppable) {
        boolean whole = isMetBefore && scope.before() == Long.MAX_VALUE && !total.ahead();
        return new VerifiedCall(scope.partition(), boot, whole, at, droppable);
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
