package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One node of three is stopped while clients use it, who connect anew until the last moment, as those do whose connections it closes. */
@Tag("check")
@Timeout(120)
class StopIT {
    /** When late connections were served, some were told that there is no quorum in four of five. */
    private static final int STOPS = 5;

    private static final int CLIENTS = 8;
    private static final long PAUSE_NANOS = 100_000; // Before a client connects anew.
    private static final String GET = "GET /v0/entity?id=absent HTTP/1.1\r\nHost: kvorum\r\n\r\n";

    @TempDir
    static Path directory;

    @Test
    void requestsToNodeThatStopsAreServedOrRefusedAndNoneIsToldThatThereIsNoQuorum() throws InterruptedException {
        Set<String> answers = new TreeSet<>();
        try (TestCluster cluster = TestCluster.start(directory, 3, "--kvorum.peer.silence-max=60s")) {
            TestNode node = cluster.node(0);
            for (int i = 0; i < STOPS; i++) {
                cluster.startAll();
                answers.addAll(answersUntilStopped(node));
            }
        }

        assertThat(answers)
                .contains("HTTP/1.1 404 Not Found")
                .isSubsetOf("HTTP/1.1 404 Not Found", "HTTP/1.1 503 Service Unavailable");
    }

    private static Set<String> answersUntilStopped(TestNode node) throws InterruptedException {
        List<Client> clients =
                IntStream.range(0, CLIENTS).mapToObj(i -> new Client(node)).toList();
        try {
            eventually("all are served", () -> clients.stream().allMatch(client -> client.served.get() > 10));
            node.stop();
        } finally {
            clients.forEach(Client::end);
        }
        Set<String> answers = new TreeSet<>();
        for (Client client : clients) {
            answers.addAll(client.answers());
        }
        return answers;
    }

    /** Asks, and connects anew whenever its connection is closed, until it is ended. */
    private static final class Client {
        private final RawClient port;
        private final Set<String> answers = new TreeSet<>(); // Read when its thread has ended.
        private final AtomicInteger served = new AtomicInteger();
        private final Thread thread;
        private volatile boolean ends;

        Client(TestNode node) {
            port = new RawClient(node.apiPort());
            thread = Thread.ofVirtual().start(this::run);
        }

        private void run() {
            while (!ends) {
                try (Socket socket = port.open()) {
                    ask(socket);
                } catch (IOException e) {
                    LockSupport.parkNanos(PAUSE_NANOS); // Closed, or refused.
                }
            }
        }

        private void ask(Socket socket) throws IOException {
            while (!ends) {
                answers.add(
                        RawClient.exchange(socket, GET, "").lines().findFirst().orElse(""));
                served.incrementAndGet();
            }
        }

        void end() {
            ends = true;
        }

        Set<String> answers() throws InterruptedException {
            thread.join();
            return answers;
        }
    }
}
