package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request that never becomes whole is no error of the node: its log stays silent, on both ports. */
@Timeout(60)
@Tag("check")
class CutOffRequestsIT {
    private static final Logger LOG = LoggerFactory.getLogger(CutOffRequestsIT.class);
    private static final String END = "nothing was logged before this line";
    private static final String HEAD =
            " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
    private static final String PUT = "PUT /v0/entity?id=cut" + HEAD;
    private static final String REPAIR = "POST /actuator/repair" + HEAD;

    @TempDir
    Path directory;

    @Test
    void requestThatIsCutOffIsNoErrorInTheLog() throws IOException {
        Path log = directory.resolve("node.log");
        try (TestCluster cluster =
                TestCluster.start(directory, 1, "--logging.file.name=" + log, "--kvorum.http.body-timeout=300ms")) {
            TestNode node = cluster.node(0);
            cutOff(node.apiPort(), PUT);
            cutOff(node.managementPort(), REPAIR);
            eventually("no connection is left", () -> connections(node) == 0);
        }
        LOG.error(END);

        assertThat(Files.readAllLines(log)).singleElement().asString().endsWith(END);
    }

    private static void cutOff(int port, String half) throws IOException {
        RawClient client = new RawClient(port);
        assertThat(client.untilClosed(half)).contains(" 408 "); // The node ends it.
        for (boolean isReset : List.of(true, false)) {
            try (Socket socket = client.open()) {
                socket.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));
                if (isReset) {
                    socket.setSoLinger(true, 0);
                }
            }
        }
    }

    private static double connections(TestNode node) {
        return node.meters().get("kvorum.http.connections").gauge().value()
                + node.meters().get("kvorum.management.connections").gauge().value();
    }
}
