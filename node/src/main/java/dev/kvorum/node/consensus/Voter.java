package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import reactor.core.publisher.Mono;

/**
 * An owner of a key that takes part in rounds about it. Each call is answered by exactly one vote, never by an error; what it tells of, and what it has
 * done, is on its disk by then. Any thread may call it; nothing blocks the caller. Calls of another epoch than its own are refused.
 */
interface Voter {
    String member();

    /** The newest cell that it has, as one of those that a majority is made of. */
    Mono<Vote> query(Key key, long epoch);

    /** The newest cell that it has, of which its promise has told: that it may lack another does not matter. */
    Mono<Vote> fetch(Key key, long epoch);

    /**
     * Has it promise to serve no ballot below this one.
     *
     * @param settles whether the round only finishes what is open: then it may say so little as whoever has lost it can
     */
    Mono<Vote> prepare(Key key, Version ballot, boolean settles, long epoch);

    /** Has it accept a proposal, unless it has promised a greater ballot. */
    Mono<Vote> accept(Key key, Proposal proposal, long epoch);

    /** Has it take a cell, that was chosen or that it lacks, among its cells. */
    Mono<Vote> commit(Key key, Cell cell, long epoch);
}
