package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.http.PortMetrics.Overfull;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionTableTest {
    private static final int MAX = 16;
    private static final int NEAR = 12;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ConnectionTable table = new ConnectionTable(MAX);
    private long now;

    @Test
    void oneAddressHasThreeQuartersAndNoMoreWhileItsConnectionsAreYoung() {
        List<Held> held = connect("hog", NEAR);

        assertThat(held).hasSize(NEAR);
        assertThat(add("hog").refusal()).isEqualTo(Overfull.SHARE);
        assertThat(table.size()).isEqualTo(NEAR);
    }

    @Test
    void addressWithLessThanItsShareIsAdmittedUntilThePortIsFull() {
        connect("hog", NEAR);

        connect("other", MAX - NEAR);

        assertThat(table.size()).isEqualTo(MAX);
    }

    @Test
    void fullPortClosesTheLongestWaitingConnectionOfTheAddressWithTheMost() {
        List<Held> hog = connect("hog", NEAR);
        connect("other", MAX - NEAR);
        now = 5;
        hog.get(0).waits(4);
        hog.get(1).serves();
        hog.get(2).waits(1);

        assertThat(add("newcomer")).isEqualTo(new ConnectionTable.Outcome(null, hog.get(3)));
        assertThat(table.size()).isEqualTo(MAX);
    }

    @Test
    void addressWithTheMostGivesUpOnlyAConnectionThatHasWaitedForASecond() {
        List<Held> hog = connect("hog", NEAR);
        connect("other", MAX - NEAR);

        assertThat(add("hog").refusal()).isEqualTo(Overfull.FULL);

        now = SECOND;
        assertThat(add("hog")).isEqualTo(new ConnectionTable.Outcome(null, hog.getFirst()));
    }

    @Test
    void connectionsThatAreServedStay() {
        connect("hog", NEAR).forEach(Held::serves);
        connect("other", MAX - NEAR).forEach(Held::serves);
        now = 100 * SECOND;

        assertThat(add("newcomer").refusal()).isEqualTo(Overfull.FULL);
        assertThat(table.size()).isEqualTo(MAX);
    }

    @Test
    void busyConnectionsDoNotHideWaitingOnesForLong() {
        ConnectionTable large = new ConnectionTable(1000);
        List<Held> hog = new ArrayList<>();
        for (int i = 0; i < 750; i++) {
            hog.add(held("hog"));
            large.add(hog.getLast(), now);
        }
        hog.subList(0, 700).forEach(Held::serves);
        now = SECOND;
        int refused = 0;
        while (large.add(held("hog"), now).refusal() != null) {
            refused++;
        }

        assertThat(refused).isLessThan(700 / 32 + 1);
    }

    @Test
    void endOfAConnectionThatMadeRoomIsNotCountedAgain() {
        List<Held> hog = connect("hog", NEAR);
        connect("other", MAX - NEAR);
        Held leaver = add("newcomer").leaver();

        table.remove(hog.getFirst());

        assertThat(leaver).isSameAs(hog.getFirst());
        assertThat(table.size()).isEqualTo(MAX);
    }

    private List<Held> connect(String address, int number) {
        List<Held> held = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            held.add(held(address));
            assertThat(table.add(held.getLast(), now)).isEqualTo(new ConnectionTable.Outcome(null, null));
        }
        return held;
    }

    private ConnectionTable.Outcome add(String address) {
        return table.add(held(address), now);
    }

    private Held held(String address) {
        return new Held(new EmbeddedChannel(), address, now);
    }
}
