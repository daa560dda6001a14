package dev.kvorum.node.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.storage.MemberDirectory.Alive;
import dev.kvorum.node.storage.directory.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.scheduler.Schedulers;

class LifeKeeperTest {
    private static final Duration GRACE = Duration.ofDays(10);

    @TempDir
    Path data;

    private final long now = System.currentTimeMillis();
    private final Membership without = new Membership("n4", Topologies.of(5, "n1", "n2", "n3"));
    private DataDirectory directory;

    @BeforeEach
    void claim() throws IOException {
        directory = claimed();
        directory.noteAlive(new Alive(now - days(30), now - days(11)));
    }

    private DataDirectory claimed() {
        return DataDirectory.claim(data, "demo", "n4", Topologies.PARTITIONS);
    }

    private static long days(int days) {
        return Duration.ofDays(days).toMillis();
    }

    /** As if it had been made long ago. */
    private DataDirectory aged() throws IOException {
        Path stamp = data.resolve("kvorum.properties");
        Files.writeString(stamp, Files.readString(stamp).replaceAll("created=\\d+", "created=" + (now - days(40))));
        return claimed();
    }

    private LifeKeeper keeper(DataDirectory of, Membership membership) {
        return new LifeKeeper(of, membership, GRACE, System::currentTimeMillis, Schedulers.boundedElastic());
    }

    @Test
    void nodeThatIsNoMemberAnyMoreTellsForHowLong() throws IOException {
        try (LifeKeeper keeper = keeper(aged(), without)) {
            assertThat(keeper.awayMillis())
                    .isBetween(days(11), days(11) + Duration.ofMinutes(5).toMillis());
            assertThat(keeper.graceMillis()).isEqualTo(days(10));
        }
    }

    @Test
    void nodeWhoseDataIsYoungerThanItsMembershipHoldsNothingFromThen() {
        try (LifeKeeper keeper = keeper(directory, without)) {
            assertThat(keeper.awayMillis()).isZero();
        }
    }

    @Test
    void memberIsNotAwayAndOneThatWasForTooLongBeginsItsLifeAnew() throws IOException {
        Membership named = new Membership("n4", Topologies.of(5, "n1", "n4"));
        DataDirectory aged = aged();
        LifeKeeper keeper = keeper(aged, named);
        keeper.close(); // Which notes it.

        assertThat(keeper.awayMillis()).isZero();
        assertThat(keeper.since())
                .as("it is no witness of the time in which it was none")
                .isGreaterThanOrEqualTo(now);
        assertThat(aged.lastAlive().orElseThrow().last()).isGreaterThanOrEqualTo(now);
    }
}
