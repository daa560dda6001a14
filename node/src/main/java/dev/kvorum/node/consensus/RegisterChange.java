package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.consensus.ChangeOutcome.Fate;
import dev.kvorum.node.coordinator.Attempt;
import dev.kvorum.node.coordinator.Shortfall;
import dev.kvorum.node.quorum.AckTally.Verdict;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One write to a register, from its first round to its outcome. A round:
 *
 * <pre>
 * prepare   a majority promises its ballot; what they tell is how the register stands ({@link Standing})
 *           the condition does not hold: the state is made certain, and the write has failed
 * accept    a majority accepts the new cell, which is chosen by that
 * commit    a majority takes it among its cells, where reads find it: the write is done
 *
 * outbid    after a pause by chance, another round with a greater ballot
 * missed    the attempt ends ({@link dev.kvorum.node.coordinator.Attempts}), if a newer topology is in force by now and it is not for lack of room
 * </pre>
 *
 * <p>A round that was outbid may have left its cell with some acceptors, and others may finish it. So the next one looks whether it is among the versions
 * that the state was built on: then it was done. If what it was built on itself is among them, and it is not, it was not done, and will not be as
 * soon as this round has had anything accepted. If neither is there, nobody can tell any more.
 *
 * <p>One thread at a time; only the deadline may come beside it.
 */
final class RegisterChange {
    private static final long PAUSE_MIN = TimeUnit.MILLISECONDS.toNanos(4);
    private static final int DOUBLINGS_MAX = 5;

    private final RegisterParts parts;
    private final Turns turns;
    private final Key key;
    private final @Nullable Draft draft; // Null where nothing is to be changed, only finished.
    private final Condition condition;
    private final List<Version> proposed = new ArrayList<>(1); // Guarded by this.
    private @Nullable Cell first;
    private Version base = Version.NONE; // What the last proposal was built on.
    private volatile Shortfall missed;
    private int outbids;
    private long end;
    private boolean ended; // Guarded by this.

    /** @param draft null finishes what others have left half-way, and changes nothing */
    RegisterChange(RegisterParts parts, Turns turns, Key key, @Nullable Draft draft, Condition condition) {
        this.parts = parts;
        this.turns = turns;
        this.key = key;
        this.draft = draft;
        this.condition = condition;
        Electorate electorate = parts.electorates().of(key);
        this.missed = new Shortfall(electorate.quorum(), 0, List.of());
    }

    /** Once. Never empty, never an error; cancelling it goes on with what has begun, but begins nothing. */
    Mono<ChangeOutcome> run() {
        return Mono.defer(() -> {
            long nanos = parts.deadline().toNanos();
            end = parts.deadlines().now() + nanos;
            return turns.take(key, this::attempts, this::crowded)
                    .timeout(parts.deadlines().after(nanos))
                    .onErrorResume(TimeoutException.class, e -> Mono.just(timedOut()));
        });
    }

    private Mono<ChangeOutcome> attempts() {
        return parts.attempts(key, end - parts.deadlines().now(), this::round);
    }

    private ChangeOutcome crowded() {
        ReplicaFailure failure = new ReplicaFailure(
                parts.electorates().self(), Reason.OVERLOADED, Turns.WAITING_MAX + " writes of this key wait already");
        return new ChangeOutcome.Rejected(new Shortfall(missed.quorum(), 0, List.of(failure)), end());
    }

    private ChangeOutcome timedOut() {
        return new ChangeOutcome.TimedOut(missed, end());
    }

    private synchronized Fate end() {
        ended = true;
        return proposed.isEmpty() ? Fate.NOT_DONE : Fate.UNKNOWN;
    }

    /** Whether it may still be proposed; then it counts as that. */
    private synchronized boolean isProposable(Version version) {
        boolean isInTime = !ended && !isLate();
        if (isInTime) {
            proposed.add(version);
        }
        return isInTime;
    }

    /** Looks at the clock: what lay ready while a process was frozen is handled before its deadlines are. */
    private boolean isLate() {
        return parts.deadlines().now() >= end;
    }

    private synchronized boolean hasProposed() {
        return !proposed.isEmpty();
    }

    private synchronized @Nullable Version ownIn(List<Version> line) {
        for (Version version : line) {
            if (proposed.contains(version)) {
                return version;
            }
        }
        return null;
    }

    /** One round among the voters of one epoch, and those that follow it under the same. */
    private Mono<ChangeOutcome> round(Electorate electorate, Attempt attempt) {
        // A process that was frozen must send nothing that others have long given up.
        if (isLate()) {
            return Mono.just(timedOut());
        }
        Version ballot = parts.clock().next();
        return Poll.take(electorate, voter -> voter.prepare(key, ballot, draft == null, electorate.epoch()))
                .flatMap(poll -> poll.isWon() ? prepared(new Round(ballot, attempt, poll)) : missed(poll, attempt));
    }

    /** A round whose ballot a majority has promised. */
    private record Round(
            Version ballot, Attempt attempt, Electorate electorate, List<Vote> votes, int acks, Standing standing) {
        Round(Version ballot, Attempt attempt, Poll poll) {
            this(ballot, attempt, poll.electorate(), poll.votes(), poll.acks(), Standing.of(poll.votes()));
        }

        /** What it proposes where nothing is to be changed. */
        Proposal same() {
            Proposal open = standing.open();
            return open == null ? new Proposal(ballot, standing.version(), null, standing.lineage()) : open.at(ballot);
        }
    }

    private Mono<ChangeOutcome> prepared(Round round) {
        Standing standing = round.standing();
        var _ = parts.clock().observe(standing.version()); // Those who hold it have checked it.
        if (hasProposed()) {
            List<Version> line = standing.line();
            Version own = ownIn(line);
            if (own != null) {
                return secure(round, false, acks -> new ChangeOutcome.Written(own, acks, quorum(round)));
            }
            if (!line.contains(base)) {
                return Mono.just(new ChangeOutcome.Overtaken(missed));
            }
        }
        if (draft == null) {
            return secure(round, true, acks -> new ChangeOutcome.Written(standing.version(), acks, quorum(round)));
        }
        return condition.holdsFor(standing.state(), parts.wallMillis().getAsLong())
                ? propose(round, draft)
                : secure(round, hasProposed(), acks -> conditionFailed(round, acks));
    }

    private static Quorum quorum(Round round) {
        return round.electorate().quorum();
    }

    private ChangeOutcome conditionFailed(Round round, int acks) {
        Cell state = round.standing().state();
        Version current = state != null && state.isVisibleAt(parts.wallMillis().getAsLong()) ? state.version() : null;
        return new ChangeOutcome.ConditionFailed(current, acks, quorum(round));
    }

    private Mono<ChangeOutcome> propose(Round round, Draft draft) {
        Standing standing = round.standing();
        Version version = parts.clock().next();
        if (!version.isAbove(standing.version())) {
            return unavailable(tooFarAhead(standing.version()));
        }
        Cell cell = cell(draft, version, round.electorate().copies());
        if (!isProposable(version)) {
            return Mono.just(timedOut());
        }
        base = standing.version();
        Proposal proposal =
                Proposal.of(round.ballot(), cell, Proposal.lineageBehind(standing.version(), standing.lineage()));
        return accept(
                round,
                proposal,
                () -> commit(round, cell, acks -> {
                    parts.metrics().round(RegisterMetrics.Round.CHANGED);
                    return new ChangeOutcome.Written(version, acks, quorum(round));
                }));
    }

    private Cell cell(Draft draft, Version version, int copies) {
        Cell known = first;
        if (known != null) {
            return known.anew(key, version, copies);
        }
        Cell made = draft.stamp(key, version, copies);
        first = made;
        return made;
    }

    /** What is told when a majority has done its part. */
    @FunctionalInterface
    private interface Ending {
        ChangeOutcome of(int acks);
    }

    private Mono<ChangeOutcome> accept(Round round, Proposal proposal, Supplier<Mono<ChangeOutcome>> then) {
        if (isLate()) {
            return Mono.just(timedOut());
        }
        return Poll.take(
                        round.electorate(),
                        voter -> voter.accept(key, proposal, round.electorate().epoch()))
                .flatMap(poll -> poll.isWon() ? then.get() : missed(poll, round.attempt()));
    }

    /** For whom it fails a hint is kept: the cell was chosen. In flight until the last has voted, as for that one a hint may have to be kept. */
    private Mono<ChangeOutcome> commit(Round round, Cell cell, Ending ending) {
        return Mono.defer(() -> {
            parts.inFlight().begin();
            return Poll.take(
                            round.electorate(),
                            voter -> voter.commit(key, cell, round.electorate().epoch()),
                            vote -> keepHint(vote, cell),
                            parts.inFlight()::end)
                    .flatMap(poll -> poll.isWon() ? Mono.just(ending.of(poll.acks())) : missed(poll, round.attempt()));
        });
    }

    private void keepHint(Vote vote, Cell cell) {
        if (vote instanceof Vote.Failed failed) {
            parts.hints().keep(failed.member(), key, cell);
        }
    }

    /**
     * Makes the state certain: no later operation finds anything older.
     *
     * @param forGood whether no round of a lower ballot may have its way any more either
     */
    private Mono<ChangeOutcome> secure(Round round, boolean forGood, Ending ending) {
        Proposal open = round.standing().open();
        if (open != null && open.cell() != null) {
            Cell cell = open.cell();
            parts.metrics().round(RegisterMetrics.Round.FINISHED);
            return accept(round, round.same(), () -> commit(round, cell, ending));
        }
        parts.metrics().round(RegisterMetrics.Round.UNCHANGED);
        Mono<ChangeOutcome> told = Mono.fromSupplier(() -> ending.of(round.acks()));
        Supplier<Mono<ChangeOutcome>> then = forGood ? () -> accept(round, round.same(), () -> told) : () -> told;
        return isHeld(round) ? then.get() : spread(round, then);
    }

    /** Whether a majority has the newest cell. */
    private static boolean isHeld(Round round) {
        Cell newest = round.standing().newest();
        if (newest == null) {
            return true;
        }
        var holders = round.electorate().tally();
        holders(round, newest).forEach(holders::success);
        return holders.verdict() == Verdict.REACHED;
    }

    private static List<String> holders(Round round, Cell newest) {
        List<String> holders = new ArrayList<>();
        for (Vote vote : round.votes()) {
            if (vote instanceof Vote.Promised promised && newest.equals(promised.newest())) {
                holders.add(promised.member());
            }
        }
        return holders;
    }

    /** Brings the newest cell, of which only the head is known here, from one that has it to a majority. */
    private Mono<ChangeOutcome> spread(Round round, Supplier<Mono<ChangeOutcome>> then) {
        Cell head = round.standing().newest();
        List<String> holders = head == null ? List.of() : holders(round, head);
        Voter holder = round.electorate().voters().stream()
                .filter(voter -> holders.contains(voter.member()))
                .findFirst()
                .orElseThrow();
        long epoch = round.electorate().epoch();
        return holder.fetch(key, epoch).flatMap(vote -> {
            if (vote instanceof Vote.Failed failed) {
                return retried(failed.failure(), round);
            }
            Cell newest = ((Vote.Answered) vote).newest();
            return newest == null || head == null || !newest.version().equals(head.version())
                    ? pauseAndRetry(round.electorate(), round.attempt()) // It was overtaken meanwhile.
                    : Poll.take(round.electorate(), voter -> voter.commit(key, newest, epoch))
                            .flatMap(poll -> poll.isWon() ? then.get() : missed(poll, round.attempt()));
        });
    }

    private Mono<ChangeOutcome> retried(ReplicaFailure failure, Round round) {
        Shortfall shortfall = new Shortfall(missed.quorum(), 0, List.of(failure));
        if (round.attempt().isSuperseded(shortfall)) {
            return Mono.empty();
        }
        return failure.reason() == Reason.STALE
                ? pauseAndRetry(round.electorate(), round.attempt())
                : unavailable(shortfall);
    }

    /** No majority: another round, if that promises more. */
    private Mono<ChangeOutcome> missed(Poll poll, Attempt attempt) {
        missed = poll.shortfall();
        List<Vote.Outbid> others = poll.outbids();
        if (!others.isEmpty()) {
            parts.metrics().round(RegisterMetrics.Round.OUTBID);
            for (Vote.Outbid other : others) {
                if (!parts.clock().observe(other.promised())) {
                    return unavailable(tooFarAhead(other.promised()));
                }
            }
            return pauseAndRetry(poll.electorate(), attempt);
        }
        parts.metrics().round(RegisterMetrics.Round.FAILED);
        return attempt.isSuperseded(missed) ? Mono.empty() : unavailable(missed);
    }

    private Mono<ChangeOutcome> pauseAndRetry(Electorate electorate, Attempt attempt) {
        long most = PAUSE_MIN << Math.min(outbids, DOUBLINGS_MAX);
        outbids++;
        long pause = (long) (parts.chance().getAsDouble() * most);
        return parts.deadlines()
                .after(pause)
                .then(Mono.defer(() -> attempt.isSuperseded() ? Mono.empty() : round(electorate, attempt)));
    }

    private ReplicaFailure tooFarAhead(Version version) {
        return new ReplicaFailure(
                missed.failures().isEmpty()
                        ? "this node"
                        : missed.failures().getFirst().member(),
                Reason.REFUSED,
                "version " + version + " is too far ahead of this node's clock");
    }

    private Mono<ChangeOutcome> unavailable(ReplicaFailure failure) {
        return unavailable(new Shortfall(missed.quorum(), 0, List.of(failure)));
    }

    private Mono<ChangeOutcome> unavailable(Shortfall shortfall) {
        Fate fate = end();
        return Mono.just(
                shortfall.isOverload()
                        ? new ChangeOutcome.Rejected(shortfall, fate)
                        : new ChangeOutcome.Unavailable(shortfall, fate));
    }
}
