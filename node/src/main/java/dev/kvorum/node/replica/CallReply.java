package dev.kvorum.node.replica;

/** What a member answers to one of {@link PeerCalls}. */
public sealed interface CallReply permits CallReply.Done, ReplicaFailure {
    /** It did as it was told. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares replies.
    record Done(byte[] body) implements CallReply {}
}
