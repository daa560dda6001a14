package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultChannelId;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectionLimitTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ConnectionLimit limit =
            new ConnectionLimit(2, "connections", "tests", true, new PortMetrics("clients", meters), meters);

    @Test
    void oneTooManyIsRefusedUnreadAndRoomComesBackWithTheEndOfAnother() {
        EmbeddedChannel first = connect();
        EmbeddedChannel second = connect();
        EmbeddedChannel third = connect();

        assertThat(first.isOpen()).isTrue();
        assertThat(second.isOpen()).isTrue();
        assertRefused(third);
        assertThat(meters.get("connections").gauge().value()).isEqualTo(2);
        assertThat(meters.get("kvorum.connections.refused")
                        .tag("port", "clients")
                        .tag("reason", "full")
                        .counter()
                        .count())
                .isOne();

        var _ = first.close();

        assertThat(connect().isOpen()).isTrue();
    }

    @Test
    void whenNoMoreAreAdmittedThoseThatWereGoOn() {
        EmbeddedChannel admitted = connect();

        limit.admitNoMore();

        assertThat(admitted.isOpen()).isTrue();
        assertRefused(connect());
        assertThat(meters.get("connections").gauge().value()).isOne();
    }

    @Test
    void allAreClosedAndSoIsWhoComesLater() throws InterruptedException {
        EmbeddedChannel first = connect();
        EmbeddedChannel second = connect();

        assertThat(limit.close(Duration.ofSeconds(20))).isTrue();

        assertThat(first.isOpen()).isFalse();
        assertThat(second.isOpen()).isFalse();
        assertRefused(connect());
        assertThat(meters.get("connections").gauge().value()).isZero();
    }

    /** With an id of its own: a group tells channels apart by it. */
    private EmbeddedChannel connect() {
        return new EmbeddedChannel(DefaultChannelId.newInstance(), new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                limit.admit(channel);
            }
        });
    }

    private static void assertRefused(EmbeddedChannel channel) {
        ByteBuf answer = channel.readOutbound();
        assertThat(answer.toString(StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 503 ");
        assertThat(channel.isOpen()).isFalse();
    }

    private EmbeddedChannel connectFrom(String address) {
        return new EmbeddedChannel(DefaultChannelId.newInstance(), new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new ChannelInboundHandlerAdapter());
                limit.admit(channel);
            }
        }) {
            @Override
            protected SocketAddress remoteAddress0() {
                return new InetSocketAddress(address, 1);
            }
        };
    }

    @Test
    void fullPortClosesTheConnectionThatMakesRoom() {
        EmbeddedChannel first = connectFrom("10.0.0.1");
        EmbeddedChannel second = connectFrom("10.0.0.1");

        EmbeddedChannel newcomer = connectFrom("10.0.0.2");
        first.runPendingTasks();
        second.runPendingTasks();

        assertThat(newcomer.isOpen()).isTrue();
        assertThat(first.isOpen()).isFalse();
        assertThat(second.isOpen()).isTrue();
        assertThat(meters.get("connections").gauge().value()).isEqualTo(2);
    }

    /** Between the decision and its turn. */
    @Test
    void connectionThatIsServedByNowMakesNoRoom() {
        EmbeddedChannel first = connectFrom("10.0.0.1");
        connectFrom("10.0.0.1");
        connectFrom("10.0.0.2");

        Held.of(first).serves();
        first.runPendingTasks();

        assertThat(first.isOpen()).isTrue();
    }

    @Test
    void connectionThatHasNotSentAllOfAnAnswerMakesNoRoom() {
        EmbeddedChannel first = connectFrom("10.0.0.1");
        connectFrom("10.0.0.1");
        connectFrom("10.0.0.2");

        var _ = first.write(Unpooled.wrappedBuffer(new byte[100]));
        first.unsafe().outboundBuffer().addFlush(); // The system takes nothing.
        first.runPendingTasks();

        assertThat(first.isOpen()).isTrue();
    }
}
