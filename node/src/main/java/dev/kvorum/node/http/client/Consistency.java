package dev.kvorum.node.http.client;

/** What an operation promises. */
enum Consistency {
    /** Quorums that overlap show acknowledged writes; clocks order the writes. */
    QUORUM,
    /** As if there were one copy, and one operation at a time on it. */
    LINEARIZABLE
}
