package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One client takes the memory for bodies with bodies that it does not end. Others go on, and no time-out helps them. */
@Timeout(120)
@Tag("check")
class StarvingClientIT {
    private static final String STRANGER = "127.0.0.2";
    private static final int MIB = 1 << 20;
    private static final int UNFINISHED = 32;
    private static final int WRITES = 50;
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int UNTAKEN = 16; // Answers: more bytes than the buffers of both sides hold.

    @TempDir
    static Path directory;

    static TestCluster cluster;

    private final List<Socket> held = new ArrayList<>();

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                directory,
                1,
                "--kvorum.http.bodies=32MB",
                "--kvorum.http.body-timeout=10m",
                "--kvorum.http.answer-timeout=10m",
                "--kvorum.http.idle-timeout=10m",
                "--kvorum.http.send-timeout=1s");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void memoryIsGivenBack() throws IOException {
        for (Socket socket : held) {
            socket.close();
        }
        eventually("all bytes are given back", () -> bytes() == 0);
    }

    @Test
    void bodiesThatOneAddressDoesNotEndLeaveRoomForOthers() throws IOException {
        beginBodies(STRANGER);
        eventually("the address has its share", () -> bytes() >= 16L * (MIB - 1));

        writeAll();
    }

    /** As behind a proxy. */
    @Test
    void bodiesThatDoNotGoOnAreEndedForOthersOfTheSameAddress() throws IOException {
        beginBodies("127.0.0.1");
        eventually("the address has its share", () -> bytes() >= 16L * (MIB - 1));

        for (int i = 0; i < WRITES; i++) {
            eventually("room is made", () -> put() == 201); // Each body has a second before it counts as slow.
        }
        assertThat(held).anySatisfy(socket -> {
            assertThat(socket.getInputStream().available()).isPositive();
            assertThat(head(socket)).startsWith("HTTP/1.1 408").contains("slow-body");
        });
    }

    /** No other time is as short. */
    @Test
    void clientThatTakesNothingOfItsAnswersIsGivenUpByTheSystem() throws IOException {
        put();
        double before = connections();
        String get = "GET /v0/entity?id=finished HTTP/1.1\r\nHost: x\r\n\r\n";

        Socket socket = new RawClient(cluster.node(0).apiPort()).openNarrow();
        held.add(socket);
        socket.getOutputStream().write(get.repeat(UNTAKEN).getBytes(StandardCharsets.US_ASCII));
        eventually("it is served", () -> connections() == before + 1);

        eventually("its connection has ended", SOON, () -> connections() == before);
    }

    private static double connections() {
        return cluster.node(0).meters().get("kvorum.http.connections").gauge().value();
    }

    private void beginBodies(String address) throws IOException {
        String begun = "PUT /v0/entity?id=unfinished HTTP/1.1\r\nHost: x\r\nContent-Length: " + MIB + "\r\n\r\n"
                + "x".repeat(MIB - 1);
        for (int i = 0; i < UNFINISHED; i++) {
            Socket socket = new RawClient(cluster.node(0).apiPort()).openFrom(address);
            held.add(socket);
            sendAsFarAsTaken(socket, begun);
        }
    }

    /** The node closes the connection of a body beyond the share. */
    private static void sendAsFarAsTaken(Socket socket, String text) throws IOException {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (SocketException closed) {
            assertThat(closed).hasMessageMatching("(?i).*(broken pipe|reset).*");
        }
    }

    /** What has come first, with the beginning of the body. */
    private static String head(Socket socket) throws IOException {
        byte[] first = new byte[1024];
        int length = socket.getInputStream().readNBytes(first, 0, first.length);
        return new String(first, 0, length, StandardCharsets.US_ASCII);
    }

    private static void writeAll() {
        for (int i = 0; i < WRITES; i++) {
            assertThat(put()).isEqualTo(201);
        }
    }

    private static int put() {
        return cluster.node(0).client().put("finished", new byte[MIB], "").statusCode();
    }

    private static double bytes() {
        return cluster.node(0).meters().get("kvorum.http.body.bytes").gauge().value();
    }
}
