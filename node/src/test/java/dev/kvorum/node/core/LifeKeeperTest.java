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
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

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

    /** Else it would be no witness of any absence until that time has come. */
    @Test
    void memberThatBeganByAClockFarAheadHasItsFormerLifeWhenTheClockIsRight() throws IOException {
        directory.noteAlive(new Alive(now - days(30), now - days(1)));
        AtomicLong clock = new AtomicLong(now + days(365));
        LifeKeeper keeper = new LifeKeeper(
                directory,
                new Membership("n4", Topologies.of(5, "n1", "n4")),
                GRACE,
                clock::get,
                VirtualTimeScheduler.create());
        assertThat(keeper.since()).isEqualTo(now + days(365));

        clock.set(now);
        keeper.close();

        assertThat(keeper.since()).isEqualTo(now - days(30));
        assertThat(directory.lastAlive()).contains(new Alive(now - days(30), now));
    }
}
