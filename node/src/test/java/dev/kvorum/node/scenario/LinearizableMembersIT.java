package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static dev.kvorum.node.cluster.RegisterClient.etag;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.cluster.ClusterProcesses;
import dev.kvorum.node.cluster.Command.Outcome;
import dev.kvorum.node.cluster.RegisterClient;
import dev.kvorum.node.cluster.TokenLog;
import dev.kvorum.node.replica.PeerOperation;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Registers of processes of which one is replaced by another, as whoever runs the cluster does that: data is transferred, and only then counts. */
@Timeout(240)
@Tag("check")
class LinearizableMembersIT {
    private static final int IDLE = 40;
    private static final int REPLACED = 1;
    private static final int NEW = 3;

    @TempDir
    Path directory;

    private ClusterProcesses cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new ClusterProcesses(directory, 64, 4);
        cluster.start(3);
        cluster.awaitMembership(NEW, NEW);
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    private RegisterClient client(int node) {
        return new RegisterClient(cluster.nodes().get(node).apiPort());
    }

    @Test
    void whatWasWrittenOrChosenIsThereForTheNextOwnersThoughNobodyAsksForItMeanwhile() throws InterruptedException {
        List<String> versions = new ArrayList<>();
        for (int i = 0; i < IDLE; i++) {
            int number = i;
            eventually(
                    "it is written",
                    () -> client(0)
                                    .put("idle-" + number, "value-" + number, "If-None-Match", "*")
                                    .statusCode()
                            == 201);
            versions.add(etag(client(0).get("idle-" + i)));
        }
        Cell chosen = chosenButNotCommitted("half", 0, REPLACED);
        TokenLog log = new TokenLog("log", List.of(client(0), client(2)));
        AtomicBoolean wanted = new AtomicBoolean(true);
        Thread writers = Thread.ofVirtual().start(() -> append(log, wanted));
        eventually("words are appended", () -> log.acknowledged().size() > 3);

        Outcome replaced = cluster.command("start", cluster.add(NEW), "--remove=n2");

        assertThat(replaced.exitCode()).as(replaced.output()).isZero();
        assertThat(cluster.memberIds()).containsExactly("n1", "n3", "n4");
        cluster.nodes().get(REPLACED).terminate();
        int before = log.acknowledged().size();
        eventually("more is appended", () -> log.acknowledged().size() > before + 3);
        wanted.set(false);
        writers.join();
        assertThat(log.words()).doesNotHaveDuplicates().containsAll(log.acknowledged());
        assertThat(text(client(NEW).get("half"))).isEqualTo("half-way");
        assertThat(etag(client(NEW).get("half"))).isEqualTo("\"" + chosen.version() + "\"");
        for (int i = 0; i < IDLE; i++) {
            HttpResponse<byte[]> found = client(NEW).get("idle-" + i);
            assertThat(text(found)).isEqualTo("value-" + i);
            assertThat(client(NEW)
                            .put("idle-" + i, "next", "If-None-Match", "*")
                            .statusCode())
                    .isEqualTo(412);
            assertThat(client(NEW)
                            .put("idle-" + i, "next", "If-Match", versions.get(i))
                            .statusCode())
                    .isEqualTo(201);
        }
    }

    private static void append(TokenLog log, AtomicBoolean wanted) {
        try {
            log.append(2, Integer.MAX_VALUE, 1, wanted::get);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As a coordinator leaves it that dies when a majority has accepted its proposal. */
    private Cell chosenButNotCommitted(String key, int... acceptors) {
        long now = System.currentTimeMillis() << 16;
        Version ballot = new Version(now + 1, 9);
        Cell cell = Draft.ofValue("half-way".getBytes(StandardCharsets.UTF_8))
                .stamp(Key.of(key), new Version(now + 2, 9), 3);
        byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(2 + utf8.length + 16 + 16 + 1 + 4 + cell.bytes().length);
        body.putShort((short) utf8.length).put(utf8);
        Stream.of(ballot, cell.version())
                .forEach(version -> body.putLong(version.hybridTime()).putLong(version.author()));
        body.put((byte) 0).putInt(cell.bytes().length).put(cell.bytes());
        for (int acceptor : acceptors) {
            assertThat(cluster.ask(acceptor, PeerOperation.REGISTER_ACCEPT, body.array())
                            .body()[0])
                    .isEqualTo((byte) 1);
        }
        return cell;
    }
}
