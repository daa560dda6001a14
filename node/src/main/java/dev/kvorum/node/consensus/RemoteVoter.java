package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import java.util.function.BiFunction;
import reactor.core.publisher.Mono;

/** Another member. One that goes by an older topology is called once again, when it has been brought to the newer one. */
final class RemoteVoter implements Voter {
    private final Member member;
    private final PeerCalls calls;

    RemoteVoter(Member member, PeerCalls calls) {
        this.member = member;
        this.calls = calls;
    }

    @Override
    public String member() {
        return member.id();
    }

    @Override
    public Mono<Vote> query(Key key, long epoch) {
        return query(key, true, epoch);
    }

    @Override
    public Mono<Vote> fetch(Key key, long epoch) {
        return query(key, false, epoch);
    }

    private Mono<Vote> query(Key key, boolean counts, long epoch) {
        return call(
                PeerOperation.REGISTER_QUERY,
                epoch,
                RegisterProtocol.encodeQuery(key, counts),
                (voter, body) -> RegisterProtocol.decodeAnswer(voter, key, body));
    }

    @Override
    public Mono<Vote> prepare(Key key, Version ballot, boolean settles, long epoch) {
        return call(
                PeerOperation.REGISTER_PREPARE,
                epoch,
                RegisterProtocol.encodePrepare(key, ballot, settles),
                (voter, body) -> RegisterProtocol.decodePromise(voter, key, body));
    }

    @Override
    public Mono<Vote> accept(Key key, Proposal proposal, long epoch) {
        return call(
                PeerOperation.REGISTER_ACCEPT,
                epoch,
                RegisterProtocol.encodeAccept(key, proposal),
                RegisterProtocol::decodeDone);
    }

    @Override
    public Mono<Vote> commit(Key key, Cell cell, long epoch) {
        return call(
                PeerOperation.REGISTER_COMMIT,
                epoch,
                RegisterProtocol.encodeCommit(key, cell),
                RegisterProtocol::decodeDone);
    }

    private Mono<Vote> call(PeerOperation operation, long epoch, byte[] body, BiFunction<String, byte[], Vote> decode) {
        return calls.call(member, operation, epoch, body)
                .flatMap(reply -> isBehind(reply) ? calls.call(member, operation, epoch, body) : Mono.just(reply))
                .map(reply -> switch (reply) {
                    case CallReply.Done done -> decoded(done.body(), decode);
                    case ReplicaFailure failure -> new Vote.Failed(failure);
                });
    }

    private static boolean isBehind(CallReply reply) {
        return reply instanceof ReplicaFailure failure && failure.reason() == Reason.BEHIND;
    }

    private Vote decoded(byte[] body, BiFunction<String, byte[], Vote> decode) {
        try {
            return decode.apply(member(), body);
        } catch (MalformedCallException e) {
            return new Vote.Failed(new ReplicaFailure(member(), Reason.BROKEN, "answered no vote: " + e.getMessage()));
        }
    }
}
