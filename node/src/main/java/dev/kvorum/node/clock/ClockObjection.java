package dev.kvorum.node.clock;

/** Why this node stamps no plain writes of clients. */
public sealed interface ClockObjection permits ClockSkew, IssuedAhead {}
