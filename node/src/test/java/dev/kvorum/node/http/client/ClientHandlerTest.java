package dev.kvorum.node.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClientHandlerTest {
    private final ManualPort port = new ManualPort(1 << 20);

    @AfterEach
    void close() {
        port.close();
    }

    @Test
    void clientLearnsNothingOfAnErrorThatNobodyExpected() throws IOException {
        port.verifiedAt = partition -> {
            throw new IllegalStateException("known to the log alone");
        };

        String answer = port.client().untilClosed("GET /v0/topology HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 500 ")
                .contains("the node failed; its log says why")
                .doesNotContain("IllegalStateException", "known to the log alone");
    }
}
