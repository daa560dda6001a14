package dev.kvorum.node.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectionFaultTest {
    static Stream<Throwable> faults() {
        return Stream.of(
                new ConnectException("Connection refused: /10.0.0.1:9090"),
                new ConnectTimeoutException("connection timed out"),
                new UnknownHostException("n3"),
                new ClosedChannelException(),
                new IOException("Connection reset by peer"),
                new IllegalStateException(new IOException("Broken pipe")),
                new IllegalStateException("unexpected"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void wordsNameNeitherAJavaClassNorItsMessage(Throwable fault) {
        String words = ConnectionFault.inWords("n3", fault);

        assertThat(words).isNotBlank().doesNotContain("Exception", "java.", "io.", "/10.0.0.1");
        assertThat(fault.getMessage() == null || !words.contains(fault.getMessage()))
                .isTrue();
    }
}
