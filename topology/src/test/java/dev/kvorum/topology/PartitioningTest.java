package dev.kvorum.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PartitioningTest {
    private static int partitionOf(String key, int partitions) {
        return new Partitioning(partitions).partitionOf(key.getBytes(StandardCharsets.UTF_8));
    }

    /** The hash is part of the data format: if this fails, every stored key would be looked for in the wrong place. */
    @Test
    void partitionsOfKnownKeysNeverChange() {
        assertThat(partitionOf("cart-7", 4096)).isEqualTo(1073);
        assertThat(partitionOf("ключ", 4096)).isEqualTo(2465);
        assertThat(partitionOf("cart-7", 256)).isEqualTo(67);
    }

    @Test
    void keysSpreadEvenlyOverPartitions() {
        int[] counts = new int[64];
        for (int i = 0; i < 64_000; i++) {
            counts[partitionOf("key-" + i, counts.length)]++;
        }

        assertThat(Arrays.stream(counts).boxed()).allMatch(count -> count >= 850 && count <= 1150);
    }

    @Test
    void allPartitionCountsUpToTheLargestAreUsable() {
        for (int partitions : new int[] {1, 2, 3, 255, Topology.PARTITIONS_MAX}) {
            for (int i = 0; i < 1000; i++) {
                assertThat(partitionOf("key-" + i, partitions)).isBetween(0, partitions - 1);
            }
        }
    }
}
