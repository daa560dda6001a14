package dev.kvorum.e2e.client;

import dev.kvorum.e2e.cluster.Node;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Bytes to a node that need not be HTTP. Used by one thread. */
public final class RawConnection implements AutoCloseable {
    private static final int TIMEOUT_MS = 5_000;

    private static final String LENGTH = "content-length:";

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
     * @throws java.net.SocketTimeoutException if there is neither in 5 s
     */
    public int status() throws IOException {
        String[] words = line().split(" ", 3);
        return words.length > 1 ? Integer.parseInt(words[1]) : 0;
    }

    /** The same, and reads the answer to its end, so that another request can follow. */
    public int answer() throws IOException {
        int status = status();
        int length = 0;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
                length = Integer.parseInt(header.substring(LENGTH.length()).trim());
            }
        }
        in.skipNBytes(length);
        if (status == 0) {
            throw new EOFException("closed without an answer");
        }
        return status;
    }

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
