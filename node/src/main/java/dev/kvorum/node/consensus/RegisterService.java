package dev.kvorum.node.consensus;

import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.PeerProtocol;
import reactor.core.publisher.Mono;

/** Answers the calls of other members from the registers of this one. Any thread. */
public final class RegisterService {
    private final Acceptor acceptor;

    public RegisterService(Acceptor acceptor) {
        this.acceptor = acceptor;
    }

    /**
     * Serves a call.
     *
     * @param body what stands behind the epoch
     * @throws MalformedCallException if that is not what it should be
     */
    public Mono<CallReply> serve(String path, byte[] body, long epoch) {
        return vote(path, body, epoch).map(vote -> switch (vote) {
            case Vote.Failed failed -> failed.failure();
            case Vote.Promised promised -> new CallReply.Done(RegisterProtocol.encode(promised));
            case Vote.Outbid outbid -> new CallReply.Done(RegisterProtocol.encode(outbid));
            case Vote.Done done -> new CallReply.Done(RegisterProtocol.encode(done));
            case Vote.Answered answered -> new CallReply.Done(RegisterProtocol.encode(answered));
        });
    }

    private Mono<Vote> vote(String path, byte[] body, long epoch) {
        return switch (path) {
            case PeerProtocol.REGISTER_QUERY -> acceptor.query(RegisterProtocol.decodeQuery(body), epoch);
            case PeerProtocol.REGISTER_PREPARE -> {
                var call = RegisterProtocol.decodePrepare(body);
                yield acceptor.prepare(
                        call.key(), call.about().ballot(), call.about().settles(), epoch);
            }
            case PeerProtocol.REGISTER_ACCEPT -> {
                var call = RegisterProtocol.decodeAccept(body);
                yield acceptor.accept(call.key(), call.about(), epoch);
            }
            case PeerProtocol.REGISTER_COMMIT -> {
                var call = RegisterProtocol.decodeCommit(body);
                yield acceptor.commit(call.key(), call.about(), epoch);
            }
            default -> throw new MalformedCallException("nothing is served at " + path);
        };
    }
}
