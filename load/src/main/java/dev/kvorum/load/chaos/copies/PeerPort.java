package dev.kvorum.load.chaos.copies;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Asks one node, as other members do, what its own disk holds. One thread at a time. */
final class PeerPort implements AutoCloseable {
    private static final int HEAD_BYTES = 72;
    private static final int STREAM = 7; // The operation.
    private static final int OK = 200;
    private static final int BUSY = 503;
    private static final long BUSY_PAUSE_MILLIS = 20;
    private static final int BUSY_MAX = 200;

    private final URI peer;
    private final FrameCaller caller;

    PeerPort(URI peer) throws IOException {
        this.peer = peer;
        this.caller = new FrameCaller(peer);
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
                .putLong(0) // The digest of a topology that it does not have.
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
        FrameCaller.Reply reply = caller.call(STREAM, body);
        for (int tries = 0; reply.status() == BUSY && tries < BUSY_MAX; tries++) {
            Thread.sleep(BUSY_PAUSE_MILLIS);
            reply = caller.call(STREAM, body);
        }
        if (reply.status() != OK) {
            throw new IOException(
                    peer + " answered " + reply.status() + ": " + new String(reply.body(), StandardCharsets.UTF_8));
        }
        return reply.body();
    }

    @Override
    public void close() throws IOException {
        caller.close();
    }
}
