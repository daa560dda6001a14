package dev.kvorum.load.chaos.copies;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks one node, as other members do, what its own disk holds. One thread at a time. */
final class PeerPort {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int HEAD_BYTES = 64;
    private static final int BUSY = 503;
    private static final long BUSY_PAUSE_MILLIS = 20;
    private static final int BUSY_MAX = 200;

    private final HttpClient http;
    private final URI base;

    PeerPort(HttpClient http, URI base) {
        this.http = http;
        this.base = base;
    }

    /**
     * All cells that the node holds of a partition, owner or not.
     *
     * @throws IOException if it does not answer, or goes by another epoch
     */
    List<HeldCell> cells(int partition, long epoch) throws IOException, InterruptedException {
        List<HeldCell> cells = new ArrayList<>();
        String after = "";
        do {
            ByteBuffer page = ByteBuffer.wrap(call(streamCall(partition, epoch, after)));
            after = HeldCell.text(page, Short.toUnsignedInt(page.getShort()));
            while (page.hasRemaining()) {
                cells.add(HeldCell.read(page));
            }
        } while (!after.isEmpty());
        return cells;
    }

    /** Of any number of copies, of any time, ended or not. */
    private static byte[] streamCall(int partition, long epoch, String after) {
        byte[] key = after.getBytes(StandardCharsets.UTF_8);
        ByteBuffer call = ByteBuffer.allocate(HEAD_BYTES + key.length)
                .putLong(epoch)
                .putShort((short) partition)
                .putShort((short) 0)
                .putLong(Long.MAX_VALUE)
                .putLong(Long.MIN_VALUE)
                .putShort((short) key.length)
                .put(key)
                .flip();
        byte[] body = new byte[call.remaining()];
        call.get(body);
        return body;
    }

    private byte[] call(byte[] body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve("/repair/stream"))
                .timeout(PATIENCE)
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
        for (int tries = 0; response.statusCode() == BUSY && tries < BUSY_MAX; tries++) {
            Thread.sleep(BUSY_PAUSE_MILLIS);
            response = http.send(request, BodyHandlers.ofByteArray());
        }
        return switch (response.statusCode()) {
            case 200 -> response.body();
            default ->
                throw new IOException(base + " answered " + response.statusCode() + " to /repair/stream: "
                        + new String(response.body(), StandardCharsets.UTF_8));
        };
    }
}
