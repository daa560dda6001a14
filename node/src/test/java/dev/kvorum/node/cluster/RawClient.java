package dev.kvorum.node.cluster;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client that sends what it is told, whether that is HTTP or not.
 *
 * @param port of this machine
 */
public record RawClient(int port) {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int NARROW_BYTES = 64 << 10;
    private static final int TRICKLE_MILLIS = 5;
    private static final Pattern CONTENT_LENGTH = Pattern.compile("Content-Length: (\\d+)");

    /** A connection of its own. */
    public Socket open() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    /** Whether connections are taken in there. */
    public boolean isTakenIn() {
        try (Socket _ = open()) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** A connection of its own from another address of this machine, as {@code 127.0.0.2}: to the node it is another client's. */
    public Socket openFrom(String address) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(address), 0);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    /** A connection of its own that this side keeps little of what comes for: what is not read stays with the node. */
    public Socket openNarrow() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(NARROW_BYTES); // Before it is connected, or it does not count.
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /** Sends that, and returns what comes until the node closes the connection. */
    public String untilClosed(String request) throws IOException {
        try (Socket socket = open()) {
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.UTF_8));
            out.flush();
            return untilClosed(socket);
        }
    }

    private static String untilClosed(Socket socket) throws IOException {
        StringBuilder answer = new StringBuilder();
        InputStream in = socket.getInputStream();
        try {
            for (int b = in.read(); b >= 0; b = in.read()) {
                answer.append((char) b);
            }
        } catch (SocketException e) {
            return answer.toString(); // Reset after the answer: closed as well.
        }
        return answer.toString();
    }

    /** Sends that byte by byte; whether the node closes the connection before all is sent. */
    public boolean isCutOffWhileSending(String request) throws IOException {
        try (Socket socket = open()) {
            OutputStream out = socket.getOutputStream();
            socket.setSoTimeout(TRICKLE_MILLIS);
            for (byte b : request.getBytes(StandardCharsets.UTF_8)) {
                out.write(b);
                out.flush();
                if (isClosed(socket)) {
                    return true;
                }
            }
            return false;
        } catch (SocketException e) {
            return true; // Reset: closed as well.
        }
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    /** Sends head and body, each in a segment of its own, and returns the head of the answer, which declares its length. */
    public static String exchange(Socket socket, String head, String body) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        out.write(body.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new EOFException("Closed after: " + answer);
            }
            answer.append((char) next);
        }
        Matcher length = CONTENT_LENGTH.matcher(answer);
        socket.getInputStream().readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
        return answer.toString();
    }
}
