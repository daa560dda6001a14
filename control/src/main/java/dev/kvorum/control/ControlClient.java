package dev.kvorum.control;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks nodes over their management ports. Any thread.
 *
 * <p>A request ends within a time and a number of bytes, whatever the node sends.
 */
public final class ControlClient implements AutoCloseable {
    private static final int ANSWER_BYTES_MAX = 64 << 20; // What a cluster of 30 members with 65,536 partitions holds.
    private static final Duration CONNECT_MAX = Duration.ofSeconds(2);
    private static final int OK_MIN = 200;
    private static final int OK_MAX = 299;

    private final Duration timeout;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_MAX)
            .build();

    /** @param timeout of a request, to the last byte of its answer */
    public ControlClient(Duration timeout) {
        this.timeout = timeout;
    }

    /** @param management address of a node's management port */
    public NodeControl node(URI management) {
        return new NodeControl(this, management);
    }

    /**
     * Sends a request. Blocks.
     *
     * @param bytesMax longest answer
     * @return the body of an answer of 2xx
     * @throws ControlException of any other, or where there is none
     */
    byte[] send(HttpRequest request, int bytesMax) {
        HttpResponse<byte[]> response;
        try {
            response = exchange(request, Math.min(bytesMax, ANSWER_BYTES_MAX));
        } catch (IOException e) {
            throw new ControlException(nodeOf(request) + " can't be asked: " + e, ControlException.UNREACHABLE);
        }
        if (response.statusCode() < OK_MIN || response.statusCode() > OK_MAX) {
            String status = nodeOf(request) + " answered " + response.statusCode();
            throw new ControlException(ControlJson.detail(response.body(), status), response.statusCode());
        }
        return response.body();
    }

    /** The timeout of an {@link HttpRequest} would end with the head of the answer. */
    private HttpResponse<byte[]> exchange(HttpRequest request, int bytesMax) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), bytesMax));
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("no whole answer within " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String nodeOf(HttpRequest request) {
        return "http://" + request.uri().getAuthority();
    }

    /** Ends requests that are under way. */
    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
