package dev.kvorum.node.http.client;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.admission.MemoryLimit;
import dev.kvorum.node.cluster.HeldLoop;
import dev.kvorum.node.cluster.RawClient;
import io.netty.channel.Channel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long answers take room from when they are decided until their clients have taken them, whichever thread decides. */
@Timeout(60)
@Tag("check")
class LongAnswersTest {
    private static final int LENGTH = 1 << 20;
    private static final int ROOM = 3; // Answers.

    private final ManualPort port = new ManualPort(ROOM * LENGTH);
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        port.close();
    }

    private Socket send(String method, String target, int times) throws IOException {
        return send(method, target, "", times);
    }

    /** @param more lines of its head, each with its end */
    private Socket send(String method, String target, String more, int times) throws IOException {
        return send(port, method, target, more, times);
    }

    private Socket send(ManualPort to, String method, String target, String more, int times) throws IOException {
        Socket socket = to.client().openNarrow();
        sockets.add(socket);
        String request = method + " " + target + " HTTP/1.1\r\nHost: x\r\n" + more + "\r\n";
        socket.getOutputStream().write(request.repeat(times).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Asks for the value, which its replica is then waited for. */
    private Socket get() throws IOException {
        return get(port);
    }

    private Socket get(ManualPort from) throws IOException {
        int before = from.replica.asked();
        Socket socket = send(from, "GET", "/v0/entity?id=large", "", 1);
        eventually("the replica is asked", () -> from.replica.asked() == before + 1);
        return socket;
    }

    private void nothingIsTaken() {
        eventually("all room is given back", () -> port.bodies.taken() == 0);
    }

    private static String take(Socket socket) throws IOException {
        return RawClient.exchange(socket, "", "");
    }

    /** Waits for the first byte of an answer, and takes it. */
    private static void begin(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        assertThat(in.read()).isEqualTo('H');
    }

    @Test
    void answerDecidedByAnotherThreadHasItsRoomBeforeItIsWritten() throws IOException {
        Socket client = get();
        try (HeldLoop _ = new HeldLoop(port.loop())) {
            port.replica.finds(LENGTH);

            assertThat(port.bodies.taken()).isEqualTo(LENGTH);
        }
        assertThat(take(client)).startsWith("HTTP/1.1 200");
        nothingIsTaken();
    }

    @Test
    void answersDecidedAtOnceDoNotPassTheBoundTogether() throws IOException {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < 2 * ROOM; i++) {
            clients.add(get());
        }
        try (HeldLoop _ = new HeldLoop(port.loop())) {
            for (int i = 0; i < 2 * ROOM; i++) {
                port.replica.finds(LENGTH);
            }

            assertThat(port.bodies.taken()).isEqualTo(ROOM * LENGTH);
            assertThat(port.reads("success")).isEqualTo(ROOM);
            assertThat(port.overloaded()).isEqualTo(ROOM);
        }
        List<String> answers = new ArrayList<>();
        for (Socket client : clients) {
            answers.add(take(client).substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
        }
        assertThat(answers).containsOnly("200", "503").filteredOn("200"::equals).hasSize(ROOM);
        nothingIsTaken();
    }

    private void read(int times, int length) throws IOException {
        for (int i = 0; i < times; i++) {
            Socket client = get();
            port.replica.finds(length);
            assertThat(take(client)).startsWith("HTTP/1.1 200");
        }
    }

    /** Asks for as many values as may be read at a time while answers are long, and for one more, which waits. */
    private List<Socket> getOneMoreThanThereIsMemoryFor() throws IOException {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < MemoryLimit.LEAST; i++) {
            clients.add(get());
        }
        clients.add(send("GET", "/v0/entity?id=large", 1));
        eventually("the last waits", () -> port.waiting() == 1);
        assertThat(port.replica.asked()).isEqualTo(MemoryLimit.LEAST);
        return clients;
    }

    /** Or most are read, and then refused for lack of room. */
    @Test
    void whereAnswersAreLongNoMoreAreReadForAtATimeThanThereIsMemoryFor() throws IOException {
        read(20, LENGTH);
        List<Socket> clients = getOneMoreThanThereIsMemoryFor();

        port.replica.finds(LENGTH);

        assertThat(take(clients.getFirst())).startsWith("HTTP/1.1 200");
        eventually("it is the last one's turn", () -> port.replica.asked() == MemoryLimit.LEAST && port.waiting() == 0);
        assertThat(port.overloaded()).isZero();
    }

    @Test
    void whatIsRefusedForLackOfRoomMakesNobodyBelieveThatAnswersAreShort() throws IOException {
        read(20, LENGTH);
        for (int i = 0; i < 60; i++) {
            Socket client = get();
            port.replica.refuses();
            assertThat(take(client)).startsWith("HTTP/1.1 503");
        }

        assertThat(getOneMoreThanThereIsMemoryFor()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "DELETE"})
    void whereAnswersWereLongAndAreNoMoreManyAreServedAtATime(String method) throws IOException {
        read(20, LENGTH);
        for (int i = 0; i < 60; i++) {
            if (method.equals("GET")) {
                read(1, 10);
            } else {
                String length = method.equals("PUT") ? "Content-Length: 0\r\n" : "";
                assertThat(take(send(method, "/v0/entity?id=small", length, 1))).startsWith("HTTP/1.1 20");
            }
        }

        for (int i = 0; i < 2 * MemoryLimit.LEAST; i++) {
            var _ = get(); // Is not waited with.
        }
    }

    @ParameterizedTest(name = "decided by its event loop: {0}")
    @ValueSource(booleans = {true, false})
    void answerThatIsNotTakenKeepsItsRoomUntilItsConnectionEnds(boolean byTheLoop) throws IOException {
        Socket client = get();
        if (byTheLoop) {
            port.loop().execute(() -> port.replica.finds(LENGTH));
        } else {
            port.replica.finds(LENGTH);
        }
        begin(client);
        assertThat(port.bodies.taken()).isEqualTo(LENGTH);

        client.close();

        nothingIsTaken();
    }

    @Test
    void clientThatTakesItsAnswerByDribletsLosesItsConnection() throws IOException {
        try (ManualPort hasty = new ManualPort(LENGTH, Duration.ofMillis(500))) {
            Socket client = get(hasty);
            hasty.replica.finds(LENGTH);
            Channel connection = hasty.connections.remove();

            eventually("it is closed", () -> {
                takeAByte(client);
                return !connection.isOpen();
            });

            eventually("its room is given back", () -> hasty.bodies.taken() == 0);
            assertThat(hasty.meters.get("kvorum.http.answers.untaken").counter().count())
                    .isOne();
        }
    }

    private static void takeAByte(Socket client) {
        try {
            assertThat(client.getInputStream().read()).isNotNegative(); // What is on its way outlasts the connection.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reactor Netty then loses the answer without releasing it. */
    @Test
    void connectionThatEndsBetweenDecisionAndWriteTakesItsRoomAlong() throws IOException {
        Socket _ = get();
        Channel connection = port.connections.remove();
        try (HeldLoop _ = new HeldLoop(port.loop())) {
            port.loop().execute(() -> {
                var _ = connection.close();
            });
            port.replica.finds(LENGTH);
            assertThat(port.bodies.taken()).isEqualTo(LENGTH);
        }
        nothingIsTaken();
    }

    @Test
    void answerDecidedAfterItsClientHasGoneTakesNone() throws IOException {
        Socket _ = get();
        Channel connection = port.connections.remove();
        var _ = connection.close();
        eventually("the connection has ended", () -> !connection.isOpen());

        port.replica.finds(LENGTH);

        nothingIsTaken();
    }

    @Test
    void pipelinedRequestsHaveOneAnswerUnderWayAtATime() throws IOException {
        Socket client = send("GET", "/v0/entity?id=large", 2);
        eventually("the replica is asked", () -> port.replica.asked() == 1);
        port.replica.finds(LENGTH);
        begin(client);
        assertThat(port.replica.asked()).isZero();
        assertThat(port.bodies.taken()).isEqualTo(LENGTH);

        assertThat(take(client)).startsWith("TTP/1.1 200");
        eventually("the replica is asked again", () -> port.replica.asked() == 1);
        port.replica.finds(LENGTH);

        assertThat(take(client)).startsWith("HTTP/1.1 200");
        nothingIsTaken();
    }

    @Test
    void headTakesNoRoomAndNeedsNone() throws IOException {
        assertThat(port.bodies.take(ROOM * LENGTH)).isTrue();
        Socket client = send("HEAD", "/v0/entity?id=large", 1);
        eventually("the replica is asked", () -> port.replica.asked() == 1);

        port.replica.finds(LENGTH);

        byte[] status = client.getInputStream().readNBytes("HTTP/1.1 200".length());
        assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
        assertThat(port.bodies.taken()).isEqualTo(ROOM * LENGTH);
    }

    /** Whoever has the value needs no more than to hear that it is the same. */
    @Test
    void valueThatIsNotSentTakesNoRoomAndNeedsNone() throws IOException {
        assertThat(port.bodies.take(ROOM * LENGTH)).isTrue();
        for (String condition : List.of("If-None-Match: *\r\n", "If-Match: \"0\"\r\n")) {
            Socket client = send("GET", "/v0/entity?id=large", condition, 1);
            eventually("the replica is asked", () -> port.replica.asked() == 1);

            port.replica.finds(LENGTH);

            assertThat(take(client)).containsPattern("HTTP/1.1 (304|412)");
        }
        assertThat(port.overloaded()).isZero();
    }

    @Test
    void clientThatGoesAwayBeforeItIsAnsweredIsCounted() throws IOException {
        for (int i = 0; i < 3; i++) {
            Socket answered = get();
            port.replica.finds(10);
            assertThat(take(answered)).startsWith("HTTP/1.1 200");
            answered.close();
        }

        get().close();

        eventually("it is counted", () -> port.gone() > 0);
        assertThat(port.gone()).isOne(); // Those who were answered had gone before.
    }

    @Test
    void shortAnswerTakesNoRoomAndNeedsNone() throws IOException {
        assertThat(port.bodies.take(ROOM * LENGTH)).isTrue();
        Socket client = get();

        port.replica.finds(1000);

        assertThat(take(client)).startsWith("HTTP/1.1 200");
        assertThat(port.bodies.taken()).isEqualTo(ROOM * LENGTH);
    }

    @Test
    void topologyThatIsLongNeedsRoomLikeAValue() throws IOException {
        Socket client = send("GET", "/v0/topology", 1);
        assertThat(take(client)).startsWith("HTTP/1.1 200");
        nothingIsTaken();

        assertThat(port.bodies.take(ROOM * LENGTH)).isTrue();

        assertThat(take(send("GET", "/v0/topology", 1))).startsWith("HTTP/1.1 503");
        assertThat(port.bodies.taken()).isEqualTo(ROOM * LENGTH);
    }
}
