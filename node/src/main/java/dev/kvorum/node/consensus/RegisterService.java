package dev.kvorum.node.consensus;

import dev.kvorum.node.replica.CallHandlers;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerOperation;
import reactor.core.publisher.Mono;

/** Answers the calls of other members from the registers of this one. Any thread. */
public final class RegisterService {
    private final Acceptor acceptor;

    public RegisterService(Acceptor acceptor) {
        this.acceptor = acceptor;
    }

    /** Answers the calls of registers from now on. */
    public void serve(CallHandlers handlers) {
        handlers.on(PeerOperation.REGISTER_QUERY, (body, epoch) -> {
            var call = RegisterProtocol.decodeQuery(body);
            boolean counts = call.about();
            return reply(counts ? acceptor.query(call.key(), epoch) : acceptor.fetch(call.key(), epoch));
        });
        handlers.on(PeerOperation.REGISTER_PREPARE, (body, epoch) -> {
            var call = RegisterProtocol.decodePrepare(body);
            return reply(acceptor.prepare(
                    call.key(), call.about().ballot(), call.about().settles(), epoch));
        });
        handlers.on(PeerOperation.REGISTER_ACCEPT, (body, epoch) -> {
            var call = RegisterProtocol.decodeAccept(body);
            return reply(acceptor.accept(call.key(), call.about(), epoch));
        });
        handlers.on(PeerOperation.REGISTER_COMMIT, (body, epoch) -> {
            var call = RegisterProtocol.decodeCommit(body);
            return reply(acceptor.commit(call.key(), call.about(), epoch));
        });
    }

    private static Mono<CallReply> reply(Mono<Vote> vote) {
        return vote.map(cast -> switch (cast) {
            case Vote.Failed failed -> failed.failure();
            case Vote.Promised promised -> new CallReply.Done(RegisterProtocol.encode(promised));
            case Vote.Outbid outbid -> new CallReply.Done(RegisterProtocol.encode(outbid));
            case Vote.Done done -> new CallReply.Done(RegisterProtocol.encode(done));
            case Vote.Answered answered -> new CallReply.Done(RegisterProtocol.encode(answered));
        });
    }
}
