package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.storage.rocks.StoredBytes;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One bit of a stored value flips before RocksDB makes its checksum of it, as in bad memory. No wrong byte is served, nothing is lost, and the replica heals by itself. */
@Timeout(120)
@Tag("check")
class RottenCellIT {
    private static final List<String> KEYS =
            IntStream.range(0, 50).mapToObj(i -> "key-" + i).toList();

    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() {
        cluster = TestCluster.start(directory, 3);
        KEYS.forEach(key -> assertThat(cluster.node(0)
                        .client()
                        .put(key, "value of " + key, "3/3")
                        .statusCode())
                .isEqualTo(201));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void rot(TestNode node, String key) {
        node.stop();
        StoredBytes.change(directory.resolve(node.id()).resolve("cells"), Key.of(key), bytes -> {
            bytes[Cell.HEADER_BYTES] ^=
                    0x20; // "value" is "Value", which is less than the right one in no order of bytes.
            bytes[3] ^= 0x40; // And of a newer version, so that it would win everywhere.
            return bytes;
        });
        node.start();
    }

    @Test
    void rottenCellIsNeverServedAndIsBroughtAnew() {
        TestNode rotten = cluster.node(1);
        rot(rotten, "key-7");

        for (TestNode node : List.of(cluster.node(0), rotten, cluster.node(2))) {
            assertThat(text(node.client().get("key-7", "2/3"))).isEqualTo("value of key-7");
        }
        eventually(
                "the replica has the right one again",
                () -> rotten.client().get("key-7", "3/3").statusCode() == 200);

        assertThat(text(rotten.client().get("key-7", "3/3"))).isEqualTo("value of key-7");
        KEYS.forEach(key -> assertThat(text(rotten.client().get(key, "3/3"))).isEqualTo("value of " + key));
        assertThat(rotten.meters().get("kvorum.storage.corruptions").counter().count())
                .isPositive();
    }

    /** The two that are left would be a majority with the one that has forgotten. */
    @Test
    void rottenCellDoesNotCountAsAbsent() {
        TestNode rotten = cluster.node(1);
        cluster.node(2).stop();
        assertThat(cluster.node(0).client().put("late", "value", "2/3").statusCode())
                .isEqualTo(201);
        rot(rotten, "late");
        cluster.node(0).stop();
        cluster.node(2).start(); // It has missed the write.

        int status = rotten.client().get("late", "2/3").statusCode();

        assertThat(status).as("no quorum, and no 404").isEqualTo(504);
        cluster.node(0).start();
        eventually(
                "all is there again",
                () -> text(rotten.client().get("late", "3/3")).equals("value"));
    }
}
