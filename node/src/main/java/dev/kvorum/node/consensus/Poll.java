package dev.kvorum.node.consensus;

import dev.kvorum.node.coordinator.Shortfall;
import dev.kvorum.node.quorum.AckTally.Verdict;
import dev.kvorum.node.quorum.Tally;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One question to all voters, and what their votes come to. Decided by a majority's yes, or when there can't be one any more. Deciding cancels no call: the
 * slower voters still do what they are asked for.
 *
 * <p>Not thread-safe: votes come one at a time.
 */
final class Poll {
    private static final Logger LOG = LoggerFactory.getLogger(Poll.class);

    private final Electorate electorate;
    private final Tally tally;
    private final List<Vote> votes = new ArrayList<>();

    private Poll(Electorate electorate) {
        this.electorate = electorate;
        this.tally = electorate.tally();
    }

    /**
     * Asks.
     *
     * @param each told of every vote, also of those that come after the decision
     * @param whenAll run when all have voted, after that
     * @return the poll when it is decided; never empty
     */
    static Mono<Poll> take(
            Electorate electorate, Function<Voter, Mono<Vote>> question, Consumer<Vote> each, Runnable whenAll) {
        return Mono.defer(() -> {
            Flux<Vote> votes = Flux.fromIterable(electorate.voters())
                    .flatMap(voter -> ask(voter, question), electorate.voters().size())
                    .doOnNext(each)
                    .doFinally(end -> whenAll.run())
                    .replay()
                    .autoConnect();
            return votes.scan(new Poll(electorate), Poll::add)
                    .filter(Poll::isDecided)
                    .next();
        });
    }

    /** As above. */
    static Mono<Poll> take(Electorate electorate, Function<Voter, Mono<Vote>> question) {
        return take(electorate, question, vote -> {}, () -> {});
    }

    private static Mono<Vote> ask(Voter voter, Function<Voter, Mono<Vote>> question) {
        return Mono.defer(() -> question.apply(voter)).onErrorResume(e -> {
            LOG.error("The vote of {} ended in an error that nobody expected", voter.member(), e);
            return Mono.just(new Vote.Failed(new ReplicaFailure(
                    voter.member(), Reason.BROKEN, "the call failed; the coordinator's log says why")));
        });
    }

    private Poll add(Vote vote) {
        if (isDecided()) {
            return this;
        }
        votes.add(vote);
        if (vote.isYes()) {
            tally.success(vote.member());
        } else {
            tally.failure(vote.member());
        }
        return this;
    }

    private boolean isDecided() {
        return tally.verdict() != Verdict.OPEN;
    }

    boolean isWon() {
        return tally.verdict() == Verdict.REACHED;
    }

    Electorate electorate() {
        return electorate;
    }

    /** Those that decided it. */
    List<Vote> votes() {
        return votes;
    }

    int acks() {
        return tally.acks();
    }

    List<Vote.Outbid> outbids() {
        return votes.stream()
                .filter(Vote.Outbid.class::isInstance)
                .map(Vote.Outbid.class::cast)
                .toList();
    }

    List<ReplicaFailure> failures() {
        return votes.stream()
                .filter(Vote.Failed.class::isInstance)
                .map(vote -> ((Vote.Failed) vote).failure())
                .toList();
    }

    Shortfall shortfall() {
        return new Shortfall(tally.quorum(), tally.acks(), failures());
    }
}
