import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** {@code java Serve.java PORT PAIRS}: writes and reads so many keys on that port of this machine; fails unless each is answered well within 30 s, asked again where replicas were late. */
final class Serve {
    private static final byte[] VALUE = new byte[200];
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    public static void main(String[] arguments) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int key = 1; key <= Integer.parseInt(arguments[1]); key++) {
                URI uri = URI.create("http://127.0.0.1:" + arguments[0] + "/v0/entity?id=k" + key);
                expect(201, client, to(uri).PUT(BodyPublishers.ofByteArray(VALUE)));
                expect(200, client, to(uri));
            }
        }
    }

    private static HttpRequest.Builder to(URI uri) {
        return HttpRequest.newBuilder(uri).timeout(PATIENCE);
    }

    private static void expect(int expected, HttpClient client, HttpRequest.Builder request) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        int status;
        do {
            status = client.send(request.build(), BodyHandlers.discarding()).statusCode();
        } while ((status == 503 || status == 504) && System.nanoTime() < end);
        if (status != expected) {
            throw new IllegalStateException(request.build() + " is answered with " + status + ", not " + expected);
        }
    }
}
