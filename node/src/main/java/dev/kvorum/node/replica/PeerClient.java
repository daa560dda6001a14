package dev.kvorum.node.replica;

import dev.kvorum.node.frame.CallFailedException;
import dev.kvorum.node.frame.FrameConnector;
import dev.kvorum.node.frame.HeapBytes;
import java.net.URI;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClient.RequestBodySpec;
import reactor.core.publisher.Mono;

/**
 * Calls members: every call from node to node is sent here. Any thread.
 *
 * @param web reaches any of them
 * @param refusal the failure that a call to an address would meet at once; null where the call would be sent or wait. Must be quick
 */
public record PeerClient(WebClient web, Function<URI, @Nullable CallFailedException> refusal) {
    private static final byte[] NOTHING = {};

    /** A client that learns of each failure by a call. */
    public static PeerClient of(WebClient web) {
        return new PeerClient(web, peer -> null);
    }

    /** Where to call the member at {@code peer} for an operation. */
    static URI address(URI peer, PeerOperation operation) {
        return peer.resolve(operation.path());
    }

    /**
     * Calls an operation. Fails as the client fails: see {@link CallFailures#of}.
     *
     * @param body makes the body when the connection takes it
     * @param reply must take or release the body of the response
     */
    <T> Mono<T> call(
            URI address,
            Function<DataBufferFactory, DataBuffer> body,
            Function<ClientResponse, ? extends Mono<T>> reply) {
        return send(web.post().uri(address), body, reply);
    }

    /** As the other, but the call fails after so long at the latest. */
    <T> Mono<T> call(
            URI address,
            long waitNanos,
            Function<DataBufferFactory, DataBuffer> body,
            Function<ClientResponse, ? extends Mono<T>> reply) {
        return send(web.post().uri(address).attribute(FrameConnector.WAIT_NANOS, waitNanos), body, reply);
    }

    private static <T> Mono<T> send(
            RequestBodySpec call,
            Function<DataBufferFactory, DataBuffer> body,
            Function<ClientResponse, ? extends Mono<T>> reply) {
        return call.body((request, context) ->
                        request.writeWith(Mono.fromSupplier(() -> body.apply(request.bufferFactory()))))
                .exchangeToMono(reply);
    }

    /** Reads the whole body of a response without a copy, or ends in an error if it is longer than {@code max} bytes. */
    static <T> Mono<T> read(ClientResponse response, int max, Function<MessageReader, T> decode) {
        return HeapBytes.joined(response.body(BodyExtractors.toDataBuffers()), max)
                .defaultIfEmpty(DefaultDataBufferFactory.sharedInstance.wrap(NOTHING))
                .map(buffer -> {
                    try {
                        return decode.apply(MessageReader.of(buffer));
                    } finally {
                        DataBufferUtils.release(buffer);
                    }
                });
    }

    /** The whole body of a response, or an error if it is longer than {@code max} bytes. */
    static Mono<byte[]> body(ClientResponse response, int max) {
        return HeapBytes.joined(response.body(BodyExtractors.toDataBuffers()), max)
                .map(PeerProtocol::takeAll)
                .defaultIfEmpty(NOTHING);
    }
}
