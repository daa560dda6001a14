package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.quorum.AckTally.Verdict;
import dev.kvorum.node.quorum.Tally;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Reads a register: asks a majority for its newest cell, and brings the newest of these to a majority unless one has it. It needs no ballot: among the
 * cells are only those that were chosen, or written without a round.
 *
 * <p>Source: Attiya, Bar-Noy and Dolev, "Sharing memory robustly in message-passing systems" (1995).
 */
final class RegisterRead {
    private final RegisterParts parts;
    private final Key key;
    private final Electorate electorate;

    /** @param electorate the voters, of one epoch */
    RegisterRead(RegisterParts parts, Key key, Electorate electorate) {
        this.parts = parts;
        this.key = key;
        this.electorate = electorate;
    }

    /**
     * What a read comes to.
     *
     * @param poll the last one; what was asked for is true if it is won
     * @param newest the newest cell; null if there is none
     */
    record Result(Poll poll, @Nullable Cell newest) {}

    /** Once. Never empty. */
    Mono<Result> run() {
        return Poll.take(electorate, voter -> voter.query(key, electorate.epoch()))
                .flatMap(poll -> poll.isWon() ? secure(poll) : Mono.just(new Result(poll, null)));
    }

    private Mono<Result> secure(Poll poll) {
        Cell newest = null;
        for (Vote vote : poll.votes()) {
            if (vote instanceof Vote.Answered answered) {
                newest = Cell.newest(newest, answered.newest());
            }
        }
        if (newest == null) {
            return Mono.just(new Result(poll, null));
        }
        var _ = parts.clock().observe(newest.version()); // Those who hold it have checked it.
        List<String> holders = holders(poll, newest);
        return hasMajority(holders) ? Mono.just(new Result(poll, newest)) : writeBack(newest, holders);
    }

    private static List<String> holders(Poll poll, Cell newest) {
        List<String> holders = new ArrayList<>();
        for (Vote vote : poll.votes()) {
            if (vote instanceof Vote.Answered answered && newest.equals(answered.newest())) {
                holders.add(answered.member());
            }
        }
        return holders;
    }

    private boolean hasMajority(List<String> holders) {
        Tally tally = electorate.tally();
        holders.forEach(tally::success);
        return tally.verdict() == Verdict.REACHED;
    }

    private Mono<Result> writeBack(Cell newest, List<String> holders) {
        parts.metrics().readWrittenBack();
        return Poll.take(
                        electorate,
                        voter -> holders.contains(voter.member())
                                ? Mono.<Vote>just(new Vote.Done(voter.member()))
                                : voter.commit(key, newest, electorate.epoch()))
                .map(poll -> new Result(poll, newest));
    }
}
