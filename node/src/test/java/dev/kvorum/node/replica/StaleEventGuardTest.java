package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.channels.NotYetConnectedException;
import org.junit.jupiter.api.Test;

/** Which errors of a connection are its own. */
class StaleEventGuardTest {
    private boolean connected;
    private final EmbeddedChannel channel = new EmbeddedChannel(new StaleEventGuard()) {
        @Override
        public boolean isActive() {
            return connected && super.isActive();
        }
    };

    private void fail(Throwable e) {
        channel.pipeline().fireExceptionCaught(e);
    }

    @Test
    void readingBeforeConnectingFailsNothing() {
        fail(new NotYetConnectedException());

        assertThatCode(channel::checkException).doesNotThrowAnyException();
    }

    @Test
    void failureToConnectIsTold() {
        fail(new IOException("connection refused"));

        assertThatThrownBy(channel::checkException).isInstanceOf(IOException.class);
    }

    @Test
    void whateverAnOpenConnectionFailsWithIsTold() {
        connected = true;

        fail(new NotYetConnectedException());

        assertThatThrownBy(channel::checkException).isInstanceOf(NotYetConnectedException.class);
    }
}
