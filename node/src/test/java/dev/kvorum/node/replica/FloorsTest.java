package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FloorsTest {
    private static final Key KEY = Key.of("cart-7");

    @Test
    void floorIsTheNewestVersionThatWasAcknowledged() {
        Floors floors = new Floors(0, () -> 0);
        assertThat(floors.of(KEY)).isEqualTo(Version.NONE);

        floors.raise(KEY, new Version(7, 1));
        floors.raise(KEY, new Version(7, 3));
        floors.raise(KEY, new Version(7, 2));
        floors.raise(KEY, new Version(6, 9));

        assertThat(floors.of(KEY)).isEqualTo(new Version(7, 3));
    }

    @Test
    void allBeginAtWhatFormerLivesHaveAcknowledged() {
        Floors floors = new Floors(500, () -> 0);

        assertThat(floors.of(KEY).isAbove(new Version(500, 12345))).isTrue();
        assertThat(new Version(501, 0).isAbove(floors.of(KEY))).isTrue();
    }

    @Test
    void keysSpreadOverTheStripes() {
        Floors floors = new Floors(0, () -> 0);
        Set<Version> versions = new HashSet<>();
        List<Key> keys =
                IntStream.range(0, 20_000).mapToObj(i -> Key.of("cart-" + i)).toList();
        for (int i = 0; i < keys.size(); i++) {
            floors.raise(keys.get(i), new Version(i + 1, 1));
        }
        keys.forEach(key -> versions.add(floors.of(key)));

        // By chance 17,200 of so many keys are the last of their stripe.
        assertThat(versions).hasSizeGreaterThan(16_000);
    }

    @Test
    void floorNeverFallsWhileThreadsRaiseIt() throws InterruptedException {
        Floors floors = new Floors(0, () -> 0);
        List<Thread> threads = new ArrayList<>();
        List<Boolean> above = new ArrayList<>();
        for (int author = 1; author <= 4; author++) {
            int self = author;
            threads.add(Thread.ofPlatform().start(() -> {
                boolean all = true;
                for (int time = 1; time <= 20_000; time++) {
                    Version mine = new Version(time, self);
                    floors.raise(KEY, mine);
                    all &= !mine.isAbove(floors.of(KEY));
                }
                synchronized (above) {
                    above.add(all);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(above).containsExactly(true, true, true, true);
        assertThat(floors.of(KEY)).isEqualTo(new Version(20_000, 4));
    }
}
