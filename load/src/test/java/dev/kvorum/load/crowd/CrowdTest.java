package dev.kvorum.load.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CrowdTest {
    private static final int STRANGERS = 20;

    private final List<Socket> accepted = new ArrayList<>();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, STRANGERS, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : accepted) {
            socket.close();
        }
        server.close();
    }

    private Crowd gather(Habit habit) throws IOException, InterruptedException {
        return Crowd.gather((InetSocketAddress) server.getLocalSocketAddress(), CrowdedPort.CLIENTS, habit, STRANGERS);
    }

    private void acceptAll() throws IOException {
        for (int i = 0; i < STRANGERS; i++) {
            accepted.add(server.accept());
        }
    }

    private String received(int index, int bytes) throws IOException {
        return new String(accepted.get(index).getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    }

    @Test
    void strangersComeFromOneAddressOfTheirOwnAndLeaveTogether() throws Exception {
        try (Crowd _ = gather(Habit.HALF_OPEN)) {
            acceptAll();
            assertThat(accepted)
                    .allSatisfy(socket ->
                            assertThat(socket.getInetAddress().getHostAddress()).isEqualTo("127.0.0.9"));
            assertThat(received(0, 5)).isEqualTo("GET /");
        }
        for (Socket socket : accepted) {
            socket.getInputStream().readAllBytes(); // To its end.
        }
    }

    @Test
    void strangerThatIsSentAwayComesBack() throws Exception {
        try (Crowd _ = gather(Habit.IDLE)) {
            acceptAll();
            accepted.getFirst().close();

            accepted.add(server.accept());
        }
    }

    @Test
    void slowStrangerGoesOnByteByByte() throws Exception {
        try (Crowd _ = gather(Habit.SLOW_HEADS)) {
            acceptAll();

            String head = received(0, Habit.SLOW_HEADS.first(CrowdedPort.CLIENTS).length + 2);

            assertThat(head).endsWith("X-Slow: aa");
        }
    }
}
