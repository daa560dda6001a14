package dev.kvorum.node.replica;

import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.frame.CallFailedException;
import dev.kvorum.node.frame.ConnectionFault;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import io.netty.handler.timeout.ReadTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.StringUtils;
import org.springframework.web.reactive.function.client.ClientResponse;
import reactor.core.publisher.Mono;

/** Tells in words of the protocol how a call to a member failed. */
final class CallFailures {
    private static final byte[] NO_WORDS = {};
    private static final int WORDS_MAX = 1000; // Characters: the client is told of them.

    private CallFailures() {}

    /** Of a call that ended in an error, without a response. */
    static ReplicaFailure of(String member, Throwable e, Duration timeout) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(e);
        return switch (root) {
            case CallFailedException failed ->
                new ReplicaFailure(member, reasonOf(failed.reason()), String.valueOf(failed.getMessage()));
            case ReadTimeoutException late ->
                new ReplicaFailure(member, Reason.TIMED_OUT, "no answer within " + timeout.toMillis() + " ms");
            case MalformedCellException malformed ->
                new ReplicaFailure(member, Reason.BROKEN, "answered no cell: " + malformed.getMessage());
            case MalformedCallException malformed ->
                new ReplicaFailure(member, Reason.BROKEN, "answered no epoch: " + malformed.getMessage());
            default -> new ReplicaFailure(member, Reason.UNREACHABLE, ConnectionFault.inWords(member, root));
        };
    }

    private static Reason reasonOf(CallFailedException.Reason reason) {
        return switch (reason) {
            case UNREACHABLE -> Reason.UNREACHABLE;
            case TIMED_OUT -> Reason.TIMED_OUT;
            case OVERLOADED -> Reason.OVERLOADED;
            case REFUSED -> Reason.REFUSED;
        };
    }

    /** A refusal may say why. */
    static String inWords(ClientResponse response, byte[] words) {
        return words.length == 0
                ? "answered " + response.statusCode().value()
                : StringUtils.truncate(new String(words, StandardCharsets.UTF_8), WORDS_MAX);
    }

    /** Of a call that the member refused. If it refused the epoch, both have been brought to the newer topology as far as that is possible now. */
    static Mono<ReplicaFailure> refused(
            Member member, ClientResponse response, int answerMax, TopologyExchange exchange) {
        Reason reason = PeerProtocol.reasonOf(response.statusCode());
        return switch (reason) {
            case STALE ->
                PeerClient.read(response, answerMax, PeerProtocol::decodeEpoch)
                        .flatMap(epoch -> exchange.learn(member, epoch)
                                .thenReturn(new ReplicaFailure(
                                        member.id(), reason, "it goes by the newer epoch " + epoch)));
            case BEHIND ->
                PeerClient.read(response, answerMax, PeerProtocol::decodeEpoch)
                        .flatMap(epoch -> exchange.teach(member)
                                .thenReturn(new ReplicaFailure(
                                        member.id(), reason, "it goes by the older epoch " + epoch)));
            case REFUSED ->
                PeerClient.body(response, answerMax)
                        .map(words -> new ReplicaFailure(member.id(), reason, inWords(response, words)));
            case UNREACHABLE, TIMED_OUT, OVERLOADED, BROKEN ->
                response.releaseBody().thenReturn(new ReplicaFailure(member.id(), reason, inWords(response, NO_WORDS)));
        };
    }
}
