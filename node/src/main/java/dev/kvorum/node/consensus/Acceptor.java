package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.storage.RegisterState;
import dev.kvorum.node.storage.RegisterStep;
import dev.kvorum.node.storage.RegisterStore;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The registers of this node: asked by its own coordinator directly, and by others through the peers' port. Each call is one step of the store, in which
 * nothing comes between looking and changing.
 *
 * <pre>
 * prepare b          b below the promise: outbid      otherwise: promises b, tells what it has accepted and the head of its newest cell
 * accept b, cell     b below the promise: outbid      otherwise: promises b, and has accepted the cell: in its row, not among its cells
 * commit cell        takes it among its cells, as any newer one; what its row says of it is not needed any more
 * query              its newest cell
 * </pre>
 *
 * <p>Source: Lamport, "The part-time parliament" (1998); Rystsov, "CASPaxos: replicated state machines without logs" (2018).
 */
public final class Acceptor implements Voter {
    /** A ballot that is older belongs to a round whose client was answered long ago; what is kept of registers may be forgotten after twice this. */
    static final Duration BALLOT_AGE_MAX = Duration.ofMinutes(30);

    private final LocalReplica local;
    private final Membership membership;
    private final RegisterStore store;
    private final HybridClock clock;
    private final LongSupplier wallMillis;
    private final Rebirth rebirth;
    private final OpenRegisters open = new OpenRegisters();

    /** @param wallMillis milliseconds since 1970 */
    public Acceptor(
            LocalReplica local,
            Membership membership,
            RegisterStore store,
            HybridClock clock,
            LongSupplier wallMillis,
            Rebirth rebirth) {
        this.local = local;
        this.membership = membership;
        this.store = store;
        this.clock = clock;
        this.wallMillis = wallMillis;
        this.rebirth = rebirth;
    }

    @Override
    public String member() {
        return local.member();
    }

    /** Which of its registers may be open. */
    OpenRegisters open() {
        return open;
    }

    @Override
    public Mono<Vote> query(Key key, long epoch) {
        return newest(key, this::lacksCells, epoch);
    }

    @Override
    public Mono<Vote> fetch(Key key, long epoch) {
        return newest(key, this::lacksNothing, epoch);
    }

    private Mono<Vote> newest(Key key, Lack lack, long epoch) {
        return serve(key, epoch, lack, null, state -> RegisterStep.none(new Vote.Answered(member(), state.cell())));
    }

    @Override
    public Mono<Vote> prepare(Key key, Version ballot, boolean settles, long epoch) {
        return serve(key, epoch, settles ? this::lacksRows : this::lacksCells, ballot, state -> prepare(state, ballot));
    }

    /** Whether it may lack cells, of which a vote tells. */
    private boolean lacksCells(ClusterView view, int partition) {
        return rebirth.rebuilding().test(partition);
    }

    /** Whether it may lack proposals, and the others are not all asked for them. */
    private boolean lacksRows(ClusterView view, int partition) {
        return !Electorates.needsAll(view) && rebirth.forgetful().test(partition);
    }

    private boolean lacksNothing(ClusterView view, int partition) {
        return false;
    }

    private Acceptance row(RegisterState state) {
        Acceptance row = Acceptance.of(state);
        return row.epoch() < rebirth.tenure().getAsLong() ? row.withoutProposal() : row;
    }

    private RegisterStep<Vote> prepare(RegisterState state, Version ballot) {
        Acceptance row = row(state);
        if (row.promised().isAbove(ballot)) {
            return RegisterStep.none(new Vote.Outbid(member(), row.promised()));
        }
        Acceptance promised = row.promise(ballot).knowing(state.cell());
        Cell newest = state.cell();
        Vote vote = new Vote.Promised(member(), promised.accepted(), newest == null ? null : newest.head());
        return RegisterStep.row(vote, promised.encode());
    }

    @Override
    public Mono<Vote> accept(Key key, Proposal proposal, long epoch) {
        if (!observe(proposal.version())) {
            return failed(Reason.REFUSED, "version " + proposal.version() + " is too far ahead of this node's clock");
        }
        Mono<Vote> accepted =
                serve(key, epoch, this::lacksNothing, proposal.ballot(), state -> accept(state, proposal, epoch));
        return proposal.cell() == null ? accepted : noted(key, proposal.version(), accepted);
    }

    /** Before the store is asked: whoever looks for what is open must not miss it. */
    private Mono<Vote> noted(Key key, Version version, Mono<Vote> accepted) {
        return Mono.defer(() -> {
            open.begins(membership.view().partitionOf(key), key, version);
            return accepted.doOnNext(vote -> acknowledge(vote, key, version))
                    .doOnCancel(() -> local.acknowledges(key, version)) // It may be accepted all the same.
                    .doFinally(end -> open.ended(key));
        });
    }

    private RegisterStep<Vote> accept(RegisterState state, Proposal proposal, long epoch) {
        Acceptance row = row(state);
        if (row.promised().isAbove(proposal.ballot())) {
            return RegisterStep.none(new Vote.Outbid(member(), row.promised()));
        }
        Acceptance accepted = new Acceptance(proposal.ballot(), epoch, proposal).knowing(state.cell());
        return RegisterStep.row(new Vote.Done(member()), accepted.encode());
    }

    @Override
    public Mono<Vote> commit(Key key, Cell cell, long epoch) {
        if (!observe(cell.version())) {
            return failed(Reason.REFUSED, "version " + cell.version() + " is too far ahead of this node's clock");
        }
        return serve(key, epoch, this::lacksNothing, null, state -> commit(state, cell))
                .doOnCancel(() -> local.acknowledges(key, cell.version()))
                .doOnNext(vote -> {
                    acknowledge(vote, key, cell.version());
                    if (vote.isYes()) {
                        open.committed(key, cell.version());
                    }
                });
    }

    /** A majority that accepts is what acknowledges a linearizable write: a plain one that follows it must be above. */
    private void acknowledge(Vote vote, Key key, Version version) {
        if (vote.isYes()) {
            local.acknowledges(key, version);
        }
    }

    private RegisterStep<Vote> commit(RegisterState state, Cell cell) {
        Vote done = new Vote.Done(member());
        Cell known = state.cell();
        Acceptance row = row(state);
        Acceptance knowing = row.knowing(Cell.newest(known, cell));
        byte @Nullable [] changed = knowing.equals(row) ? null : knowing.encode();
        return new RegisterStep<>(done, changed, known == null || cell.isNewerThan(known) ? cell : null);
    }

    private Mono<Vote> serve(
            Key key,
            long epoch,
            Lack lack,
            @Nullable Version ballot,
            Function<RegisterState, RegisterStep<Vote>> rule) {
        ReplicaFailure refusal = local.refusal(epoch);
        if (refusal != null) {
            return Mono.just(new Vote.Failed(refusal));
        }
        ClusterView view = membership.view();
        int partition = view.partitionOf(key); // The same in all epochs.
        if (lack.isOf(view, partition)) {
            return failed(Reason.REFUSED, "it is rebuilding what it has lost");
        }
        String unfit = ballot == null ? null : whyUnfit(ballot);
        if (unfit != null) {
            return failed(Reason.REFUSED, unfit);
        }
        return store.step(partition, key, state -> fenced(epoch, state, rule))
                .onErrorResume(e -> failed(reasonOf(e), LocalReplica.inWords(e)));
    }

    /** Looked at again when its turn has come: what was let in by a former epoch must not be done in this one. */
    private RegisterStep<Vote> fenced(
            long epoch, RegisterState state, Function<RegisterState, RegisterStep<Vote>> rule) {
        ReplicaFailure refusal = local.refusal(epoch);
        return refusal == null ? rule.apply(state) : RegisterStep.none(new Vote.Failed(refusal));
    }

    private @Nullable String whyUnfit(Version ballot) {
        if (ballot.millis() <= rebirth.floorMillis().getAsLong()) {
            return "ballot " + ballot + " is of a time of which it has forgotten its promises";
        }
        if (ballot.millis() < wallMillis.getAsLong() - BALLOT_AGE_MAX.toMillis()) {
            return "ballot " + ballot + " is older than " + BALLOT_AGE_MAX + ": is the clock of its node behind?";
        }
        return observe(ballot) ? null : "ballot " + ballot + " is too far ahead of this node's clock";
    }

    /** {@link Version#NONE} is that of nothing. */
    private boolean observe(Version version) {
        return clock.observe(version);
    }

    private static Reason reasonOf(Throwable e) {
        return e instanceof StoreOverloadedException ? Reason.OVERLOADED : Reason.BROKEN;
    }

    private Mono<Vote> failed(Reason reason, String detail) {
        return Mono.just(new Vote.Failed(new ReplicaFailure(member(), reason, detail)));
    }

    /** Something that this node may lack, and must not vote without. */
    private interface Lack {
        boolean isOf(ClusterView view, int partition);
    }
}
