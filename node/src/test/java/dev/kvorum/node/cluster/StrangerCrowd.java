package dev.kvorum.node.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;

/** Strangers from a few addresses of this machine. They hold connections to ports of a node, say nothing, and connect again when they are refused. */
public final class StrangerCrowd implements AutoCloseable {
    private static final List<String> ADDRESSES = List.of("127.0.0.3", "127.0.0.4", "127.0.0.5");

    private final Selector selector = Selector.open();

    /** @param each how many connections they open to each port, at once */
    public StrangerCrowd(List<Integer> ports, int each) throws IOException {
        for (int i = 0; i < each; i++) {
            for (int port : ports) {
                connect(new Stranger(ADDRESSES.get(i % ADDRESSES.size()), port));
            }
        }
    }

    private record Stranger(String from, int port) {}

    private void connect(Stranger stranger) throws IOException {
        SocketChannel channel =
                SocketChannel.open().bind(new InetSocketAddress(InetAddress.getByName(stranger.from()), 0));
        boolean _ = channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), stranger.port()));
        channel.configureBlocking(false);
        var _ = channel.register(selector, SelectionKey.OP_READ, stranger);
    }

    /** Lets those who are refused or closed by now connect again; how many they were. */
    public int comeAgain() throws IOException {
        int _ = selector.selectNow();
        List<SelectionKey> refused = List.copyOf(selector.selectedKeys()); // A node says nothing to the others.
        selector.selectedKeys().clear();
        for (SelectionKey key : refused) {
            key.channel().close();
            connect((Stranger) key.attachment());
        }
        return refused.size();
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
