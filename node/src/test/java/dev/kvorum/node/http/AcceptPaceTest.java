package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AcceptPaceTest {
    private final EmbeddedChannel server = new EmbeddedChannel();

    AcceptPaceTest() {
        server.freezeTime();
        AcceptPace.install(server);
    }

    @Test
    void serverThatHasAcceptedPausesBeforeTheNext() {
        server.writeInbound("a connection");

        assertThat(server.<String>readInbound()).isEqualTo("a connection");
        assertThat(server.config().isAutoRead()).isFalse();

        server.advanceTimeBy(AcceptPace.PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        server.runScheduledPendingTasks();
        assertThat(server.config().isAutoRead()).isTrue();
    }

    @Test
    void serverThatIsClosedDuringThePauseStaysSo() {
        server.writeInbound("a connection");
        server.close().syncUninterruptibly();

        server.advanceTimeBy(AcceptPace.PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        server.runScheduledPendingTasks();

        assertThat(server.isOpen()).isFalse();
        server.checkException();
    }
}
