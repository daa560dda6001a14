package dev.kvorum.e2e.client;

import dev.kvorum.e2e.cluster.Node;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Bytes to a node that need not be HTTP. Used by one thread. */
public final class RawConnection implements AutoCloseable {
    private static final int TIMEOUT_MS = 20_000;

    private final Socket socket;
    private final InputStream in;

    private RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Connects to the client port. */
    public static RawConnection to(Node node) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(
                    new InetSocketAddress(node.api().getHost(), node.api().getPort()), TIMEOUT_MS);
            return new RawConnection(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Says that nothing more comes, and still listens. */
    public void finish() throws IOException {
        socket.shutdownOutput();
    }

    /**
     * The status of the next answer; 0 where the connection ends without one.
     *
     * @throws java.net.SocketTimeoutException if there is neither in 20 s
     */
    public int status() throws IOException {
        String[] words = line().split(" ", 3);
        return words.length > 1 ? Integer.parseInt(words[1]) : 0;
    }

    /**
     * The next answer, which is read to its end, so that another request can follow.
     *
     * @throws EOFException if the connection ends without one
     */
    public Head answer() throws IOException {
        int status = status();
        int length = 0;
        boolean saysWhenToRetry = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String name = header.substring(0, Math.max(0, header.indexOf(':'))).toLowerCase(Locale.ROOT);
            switch (name) {
                case "content-length" ->
                    length =
                            Integer.parseInt(header.substring(name.length() + 1).trim());
                case "retry-after" -> saysWhenToRetry = true;
                default -> {}
            }
        }
        in.skipNBytes(length);
        if (status == 0) {
            throw new EOFException("closed without an answer");
        }
        return new Head(status, saysWhenToRetry);
    }

    /** What an answer begins with. */
    public record Head(int status, boolean saysWhenToRetry) {}

    /** A line without its end; empty where nothing comes anymore. */
    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != -1 && next != '\n'; next = in.read()) {
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /** Ends it in the middle of whatever goes on. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
