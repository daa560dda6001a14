package dev.kvorum.node.frame;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.frame.HostileCaller.Attack;
import dev.kvorum.node.http.ByteBudget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Callers and servers that send anything, over real sockets, while an honest caller is being served: nothing is harmed but their own
 * connections. Two seeds are always the same, one is by chance, or {@code -Dkvorum.fuzz.seed}.
 */
@Timeout(60)
@Tag("check")
class FrameFuzzTest {
    private static final long SEED_BY_CHANCE = Long.getLong("kvorum.fuzz.seed", System.nanoTime());
    private static final int ATTACKS = 120;
    private static final int ROUNDS = 3;

    private final LeakedBuffers leaked = new LeakedBuffers();
    private final ByteBudget memory = new ByteBudget(64 << 20);

    static LongStream seeds() {
        return LongStream.of(1, 2, SEED_BY_CHANCE);
    }

    private static void seeded(long seed, ThrowingConsumer<Random> attacks) {
        try {
            attacks.acceptThrows(new Random(seed));
        } catch (Throwable e) {
            throw new AssertionError("With -Dkvorum.fuzz.seed=" + seed + " again: " + e.getMessage(), e);
        }
    }

    @AfterEach
    void close() {
        leaked.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void hostileCallersHarmNothingButTheirConnections(long seed) {
        seeded(seed, this::attackByCallers);
        assertThat(leaked.found()).isEmpty();
    }

    private void attackByCallers(Random random) throws IOException {
        try (FrameServer server = new FrameServer("demo");
                FrameConnector connector = server.connector("demo", memory)) {
            HonestCaller honest = new HonestCaller(connector, server);
            HostileCaller hostile = new HostileCaller(server.port(), "demo", random);

            int malformed = 0;
            for (int i = 0; i < ATTACKS; i++) {
                Attack attack = Attack.values()[random.nextInt(Attack.values().length)];
                hostile.attack(attack);
                malformed += attack.isMalformed() ? 1 : 0;
            }
            int answeredDuring = honest.answered();

            eventually("calls go on after the attacks", () -> honest.answered() > answeredDuring + 100);
            honest.end();
            assertThat(answeredDuring).isPositive();
            assertThat(server.malformed()).isGreaterThanOrEqualTo(malformed);
            eventually("all memory is given back", () -> memory.taken() + server.allowance.taken() == 0);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void hostileServersHarmNothingButTheirConnections(long seed) {
        seeded(seed, this::attackByServers);
        assertThat(leaked.found()).isEmpty();
    }

    private void attackByServers(Random random) {
        try (FrameServer server = new FrameServer("demo");
                FrameConnector connector = server.connector("demo", memory)) {
            HonestCaller honest = new HonestCaller(connector, server);

            for (int round = 0; round < ROUNDS; round++) {
                int answeredBefore = honest.answered();
                attackByAllAtATime(server, random);
                eventually("calls go on beside the attacks", () -> honest.answered() > answeredBefore);
            }

            honest.end();
            eventually("all memory is given back", () -> memory.taken() + server.allowance.taken() == 0);
        }
    }

    private static void attackByAllAtATime(FrameServer home, Random random) {
        double malformedBefore = home.malformed();
        double malformed = Arrays.stream(HostileServer.Attack.values())
                .filter(attack -> attack.outcome() == HostileServer.Outcome.MALFORMED)
                .count();
        List<AttackedLink> links = Arrays.stream(HostileServer.Attack.values())
                .map(attack -> new AttackedLink(home, attack, random))
                .toList();

        links.forEach(AttackedLink::requireOutcome);

        assertThat(links).allMatch(link -> link.attacks() > 0);
        assertThat(home.malformed() - malformedBefore).isGreaterThanOrEqualTo(malformed);
        links.forEach(AttackedLink::close);
    }

    /** Connections that stay open and are silent, slow or greedy cost the others nothing. */
    @Test
    void hostileConnectionsThatStayHarmNobody() throws IOException {
        List<Socket> open = new ArrayList<>();
        try (FrameServer server = new FrameServer("demo");
                FrameConnector connector = server.connector("demo", memory)) {
            byte[] begun = RawFrames.joined(
                    RawFrames.hello(3, "demo"), RawFrames.call(1, RawFrames.MORE, 60_000, new byte[Frame.BODY_MAX]));
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                socket.getOutputStream().write(begun, 0, i % 3 == 0 ? begun.length : i % 3 == 1 ? 10 : 0);
                open.add(socket);
            }
            eventually("their bodies have begun", () -> server.allowance.taken() == 34L * Frame.BODY_MAX);

            HonestCaller honest = new HonestCaller(connector, server);
            eventually("calls are answered", () -> honest.answered() > 1000);
            honest.end();
            for (Socket socket : open) {
                socket.close();
            }

            eventually("all memory is given back", () -> memory.taken() + server.allowance.taken() == 0);
        }
        assertThat(leaked.found()).isEmpty();
    }
}
