package dev.kvorum.load.generate;

import io.hyperfoil.api.session.Session;

/** The request that a session is about: each session has at most one at a time. */
final class Pending implements Session.Resource {
    static final Key KEY = new Key();

    Operation operation = Operation.GET;
    long key;
    long dueNanos;
    long beginNanos;
    int status;

    /** Where a session keeps its request. */
    static final class Key implements Session.ResourceKey<Pending> {}

    static Pending of(Session session) {
        return session.getResource(KEY);
    }

    void begin(Operation operation, long key, long dueNanos, long nowNanos) {
        this.operation = operation;
        this.key = key;
        this.dueNanos = dueNanos;
        this.beginNanos = nowNanos;
        this.status = 0;
    }
}
