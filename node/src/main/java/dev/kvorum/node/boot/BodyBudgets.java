package dev.kvorum.node.boot;

import dev.kvorum.node.http.ByteBudget;

/**
 * Memory for bodies, of each port its own: what clients take is not missing where other members need this replica.
 *
 * @param clients bodies and answers of the client port
 * @param peers calls and replies between members, whatever carries them
 */
record BodyBudgets(ByteBudget clients, ByteBudget peers) {}
