package dev.kvorum.node.cluster;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.membership.Membership;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Asks one replica alone, as a peer would. */
public final class PeerCalls {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private PeerCalls() {}

    /** The cell that this node itself holds under a key. */
    public static Optional<Cell> cellOn(TestNode node, String key) {
        HttpResponse<byte[]> response =
                post(node, "/replica/read", atItsEpoch(node, key.getBytes(StandardCharsets.UTF_8)));
        return response.statusCode() == 404 ? Optional.empty() : Optional.of(Cell.decode(response.body()));
    }

    /** Gives a cell to this node alone. */
    public static void write(TestNode node, String key, Cell cell) {
        byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
        byte[] body = ByteBuffer.allocate(2 + utf8.length + cell.bytes().length)
                .putShort((short) utf8.length)
                .put(utf8)
                .put(cell.bytes())
                .array();
        HttpResponse<byte[]> response = post(node, "/replica/write", atItsEpoch(node, body));
        if (response.statusCode() != 204) {
            throw new IllegalStateException(node.id() + " answered " + response.statusCode());
        }
    }

    /** The rest of a call, behind the epoch that the node goes by. */
    public static byte[] atItsEpoch(TestNode node, byte[] rest) {
        return at(node.bean(Membership.class).view().epoch(), rest);
    }

    /** The rest of a call, behind an epoch. */
    public static byte[] at(long epoch, byte[] rest) {
        return ByteBuffer.allocate(Long.BYTES + rest.length)
                .putLong(epoch)
                .put(rest)
                .array();
    }

    public static HttpResponse<byte[]> post(TestNode node, String path, byte[] body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.peerPort() + path))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.sendAsync(request.build(), BodyHandlers.ofByteArray()).join();
    }
}
