package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConnectionLimitTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ConnectionLimit limit = new ConnectionLimit(1, "connections", "tests", meters);

    @Test
    void oneTooManyIsRefusedUnreadAndRoomComesBackWithTheEndOfAnother() {
        EmbeddedChannel first = connect();
        EmbeddedChannel second = connect();

        assertThat(first.isOpen()).isTrue();
        assertRefused(second);
        assertThat(meters.get("connections").gauge().value()).isOne();
        assertThat(meters.get("connections.refused").counter().count()).isOne();

        var _ = first.close();

        assertThat(connect().isOpen()).isTrue();
    }

    @Test
    void whenNoMoreAreAdmittedThoseThatWereGoOn() {
        EmbeddedChannel admitted = connect();

        limit.admitNoMore();

        assertThat(admitted.isOpen()).isTrue();
        var _ = admitted.close();
        assertRefused(connect());
        assertThat(meters.get("connections").gauge().value()).isZero();
    }

    @Test
    void allAreClosedAndSoIsWhoComesLater() {
        EmbeddedChannel admitted = connect();

        limit.close();

        assertThat(admitted.isOpen()).isFalse();
        assertRefused(connect());
    }

    private EmbeddedChannel connect() {
        return new EmbeddedChannel(new ChannelInitializer<>() {
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
}
