package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.http.PortLimits.Port;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NewConnectionsTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int UNFINISHED_MAX = 32; // Of a port that may have a hundred connections.

    @Test
    void oneTooManyWithoutAWholeHeadClosesTheOldestAndIsCounted() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        PortLimits limits = PortLimits.of(Port.CLIENTS, 100, LONG, LONG, LONG, meters);
        List<EmbeddedChannel> connections = Stream.generate(
                        () -> new EmbeddedChannel(new ChannelInboundHandlerAdapter()))
                .limit(UNFINISHED_MAX + 1)
                .toList();
        UnfinishedHeads unfinished = new NewConnections(limits, served -> {}, status -> {})
                .unfinished(connections.getFirst().eventLoop());

        connections.forEach(connection -> unfinished.add(connection.pipeline().firstContext()));

        assertThat(connections).filteredOn(connection -> !connection.isOpen()).containsExactly(connections.getFirst());
        assertThat(meters.get("kvorum.connections.closed")
                        .tag("reason", "room")
                        .counter()
                        .count())
                .isOne();
    }
}
