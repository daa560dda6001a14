package dev.kvorum.load.chaos.copies;

import com.sun.net.httpserver.HttpServer;
import dev.kvorum.load.chaos.copies.FrameSocket.Frame;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Holds what a test says, and tells it as {@code docs/peer-protocol.md} describes, one cell to a page. */
final class FakeMember implements AutoCloseable {
    private static final long EPOCH = 7;
    private static final int REFUSED = 412;
    private final HttpServer server;
    private final ServerSocket peers;
    private final SortedMap<String, byte[]> cells = new TreeMap<>();

    FakeMember(String topology) throws IOException {
        this(topology, EPOCH);
    }

    /** @param epoch that it goes by */
    FakeMember(String topology, long epoch) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v0/topology", exchange -> {
            byte[] body = topology.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        peers = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    serve(new FrameSocket(peers.accept()), epoch);
                }
            } catch (IOException e) {
                // The test is over.
            }
        });
    }

    private void serve(FrameSocket caller, long epoch) throws IOException {
        try (caller) {
            caller.receive();
            caller.send(new Frame(FrameSocket.WELCOME, 0, 0, 0, 3, new byte[0]));
            while (true) {
                Frame asked = caller.receive();
                ByteBuffer call = ByteBuffer.wrap(asked.body());
                boolean isServed = call.getLong() == epoch
                        && call.getLong() == 0; // Behind the epoch its digest, which a reader does not know.
                byte[] body = isServed ? page(call) : new byte[Long.BYTES];
                caller.send(new Frame(FrameSocket.REPLY, 0, 0, asked.id(), isServed ? 200 : REFUSED, body));
            }
        } catch (EOFException e) {
            // It has read all that it wants.
        }
    }

    private byte[] page(ByteBuffer call) {
        call.position(call.position() + Short.BYTES + Short.BYTES + Long.BYTES + Long.BYTES);
        byte[] after = new byte[call.getShort()];
        call.get(after);
        SortedMap<String, byte[]> left = cells.tailMap(new String(after, StandardCharsets.UTF_8) + '\0');
        ByteBuffer page = ByteBuffer.allocate(1024);
        String last = left.size() > 1 ? left.firstKey() : "";
        page.putShort((short) last.length()).put(last.getBytes(StandardCharsets.UTF_8));
        left.entrySet().stream()
                .limit(1)
                .forEach(cell -> page.putShort((short) cell.getKey().length())
                        .put(cell.getKey().getBytes(StandardCharsets.UTF_8))
                        .putInt(cell.getValue().length)
                        .put(cell.getValue()));
        byte[] body = new byte[page.flip().remaining()];
        page.get(body);
        return body;
    }

    /** @param value null for a tombstone */
    FakeMember holding(String key, String version, int copies, @Nullable String value) {
        byte[] bytes = (value == null ? "" : value).getBytes(StandardCharsets.UTF_8);
        ByteBuffer cell = ByteBuffer.allocate(32 + bytes.length)
                .put(HexFormat.of().parseHex(version))
                .put((byte) 1)
                .put((byte) (value == null ? 2 : 1))
                .putShort((short) copies)
                .putLong(0)
                .putInt(0)
                .put(bytes);
        cells.put(key, cell.array());
        return this;
    }

    Source source(String id) {
        return new Source(id, address(server.getAddress().getPort()), address(peers.getLocalPort()));
    }

    private static URI address(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    @Override
    public void close() throws IOException {
        peers.close();
        server.stop(0);
    }
}
