package dev.kvorum.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that count when they are read, each with a clock of its own. */
class RestingTest {
    private final Resting resting = new Resting();
    private final List<Client> clients = new ArrayList<>();

    private static final class Client extends EmbeddedChannel {
        private int reads;

        @Override
        protected void doBeginRead() {
            reads++;
        }
    }

    private Client client() {
        Client client = new Client();
        client.freezeTime();
        client.reads = 0;
        clients.add(client);
        return client;
    }

    private Client resting() {
        Client client = client();
        resting.begin(client);
        return client;
    }

    private static void pass(Client client, long millis) {
        client.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        client.runScheduledPendingTasks();
    }

    @AfterEach
    void close() {
        clients.forEach(client -> client.close().syncUninterruptibly());
    }

    @Test
    void connectionThatRestsIsNotReadThoughTheServerAsks() {
        Client client = resting();

        client.read();
        client.config().setAutoRead(true);

        assertThat(client.reads).isZero();
    }

    @Test
    void connectionIsReadWhenItHasRested() {
        Client client = resting();

        pass(client, Resting.MILLIS_MIN - 1);
        assertThat(client.reads).isZero();
        pass(client, 1);

        assertThat(client.reads).isPositive();
        assertThat(client.config().isAutoRead()).isTrue();
        assertThat(resting.connections()).isZero();
    }

    @Test
    void theMoreConnectionsRestTheLongerTheyDo() {
        for (int i = 1; i < Resting.REFUSALS_PER_SECOND_MAX / 10; i++) {
            var _ = resting();
        }

        Client client = resting();

        pass(client, 99);
        assertThat(client.reads).isZero();
        pass(client, 1);
        assertThat(client.reads).isPositive();
    }

    @Test
    void noneRestsLongerThanTheTimeAfterWhichItWasToldToComeBack() {
        for (int i = 0; i < 2 * Resting.REFUSALS_PER_SECOND_MAX; i++) {
            var _ = resting();
        }

        Client client = resting();

        pass(client, Resting.MILLIS_MAX);
        assertThat(client.reads).isPositive();
    }

    @Test
    void connectionRefusedTwiceRestsOnce() {
        Client client = resting();
        pass(client, Resting.MILLIS_MIN - 1);

        resting.begin(client);

        assertThat(resting.connections()).isOne();
        pass(client, 1);
        assertThat(client.reads).isPositive();
    }

    @Test
    void whereThereIsRoomThoseThatHaveRestedLongestAreReadBeforeTheirTime() {
        Client first = resting();
        Client second = resting();
        Client third = resting();

        resting.wake(2);

        assertThat(first.reads).isPositive();
        assertThat(second.reads).isPositive();
        assertThat(third.reads).isZero();
        assertThat(resting.connections()).isOne();
    }

    @Test
    void theRoomOfOneThatHasEndedIsTheNextOnes() {
        Client gone = resting();
        Client next = resting();
        gone.close().syncUninterruptibly();

        resting.wake(1);

        assertThat(next.reads).isPositive();
        assertThat(resting.connections()).isZero();
    }

    @Test
    void connectionThatWasReadBeforeItsTimeRestsAnewWhenItIsRefusedAgain() {
        Client client = resting();
        pass(client, Resting.MILLIS_MIN - 1);
        resting.wake(1);
        client.reads = 0;

        resting.begin(client);
        pass(client, 1);

        assertThat(resting.connections()).isOne();
        assertThat(client.reads).isZero();
        pass(client, Resting.MILLIS_MIN);
        assertThat(client.reads).isPositive();
        assertThat(resting.connections()).isZero();
    }

    @Test
    void connectionThatHasEndedDoesNotRest() {
        Client client = client();
        client.close().syncUninterruptibly();

        resting.begin(client);

        assertThat(resting.connections()).isZero();
    }
}
