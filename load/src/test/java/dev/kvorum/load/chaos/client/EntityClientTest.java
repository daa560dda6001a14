package dev.kvorum.load.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityClientTest {
    private static final String VERSION = "01a1fe425028000076ff4071f97f69d2";
    private static final Draw WRITE = draw(Kind.WRITE, "w1+0");
    private static final Draw READ = draw(Kind.READ, null);

    private final List<String> surprises = new CopyOnWriteArrayList<>();
    private final EntityClient client = patient(Duration.ofSeconds(30)); // A busy machine may take its time to begin.

    private EntityClient patient(Duration patience) {
        return new EntityClient(patience, System::nanoTime, surprises::add);
    }

    private static Draw draw(Kind kind, @Nullable String value) {
        return new Draw(new Request(kind, Mode.QUORUM, "key", value, 2, 3), true, 0);
    }

    @AfterEach
    void end() {
        client.close();
    }

    private Operation send(FakeNode node, Draw draw) {
        return client.send(1, node.target("n1"), draw).join();
    }

    @Test
    void whatIsFoundIsRecordedWithItsVersion() throws Exception {
        try (FakeNode node = FakeNode.answering(200, VERSION, Payload.of("w7+30"))) {
            assertThat(send(node, READ).answer()).isEqualTo(new Answer(Outcome.OK, "w7+30", VERSION));
        }
    }

    @Test
    void absenceIsAnAnswer() throws Exception {
        try (FakeNode node = FakeNode.answering(404, VERSION, "{}")) {
            assertThat(send(node, READ).answer()).isEqualTo(new Answer(Outcome.OK, null, VERSION));
        }
    }

    @Test
    void writeIsAcknowledgedByItsStatus() throws Exception {
        try (FakeNode node = FakeNode.answering(201, VERSION, "")) {
            assertThat(send(node, WRITE).isAcknowledgedWrite()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {503, 504})
    void writeThatMissedItsQuorumIsUnknownAndNoSurprise(int status) throws Exception {
        try (FakeNode node = FakeNode.answering(status, VERSION, "{}")) {
            assertThat(send(node, WRITE).answer()).isEqualTo(Answer.unknown());
        }
        assertThat(surprises).isEmpty();
    }

    /** As one whose clock is wrong. */
    @Test
    void writeOfWhichTheNodeSaysThatNothingWasWrittenHasFailed() throws Exception {
        String problem =
                "{\"type\":\"urn:kvorum:problem:clock-skew\",\"detail\":\"The clock of this node is wrong: 41.0 s ahead, by the"
                        + " clocks of most members. Nothing was written: ask another node.\"}";
        try (FakeNode node = FakeNode.answering(503, VERSION, problem)) {
            assertThat(send(node, WRITE).answer()).isEqualTo(Answer.failed());
        }
        assertThat(surprises).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 500})
    void whatNoFaultExplainsIsUnknownAndASurprise(int status) throws Exception {
        try (FakeNode node = FakeNode.answering(status, VERSION, "why")) {
            assertThat(send(node, WRITE).answer()).isEqualTo(Answer.unknown());
        }
        assertThat(surprises).singleElement().asString().contains("n1", Integer.toString(status), "why");
    }

    @Test
    void silenceIsUnknown() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (FakeNode node = new FakeNode(_ -> await(never));
                EntityClient hurried = patient(Duration.ofMillis(300))) {
            assertThat(hurried.send(1, node.target("n1"), WRITE).join().answer())
                    .isEqualTo(Answer.unknown());
            never.countDown();
        }
    }

    @Test
    void connectionThatIsClosedBeforeTheAnswerIsUnknown() throws Exception {
        try (FakeNode node = new FakeNode(exchange -> exchange.close())) {
            assertThat(send(node, WRITE).answer()).isEqualTo(Answer.unknown());
        }
    }

    @Test
    void whatCouldNotBeSentHasFailed() throws Exception {
        FakeNode node = FakeNode.answering(201, VERSION, "");
        node.close();

        assertThat(send(node, WRITE).answer()).isEqualTo(Answer.failed());
    }

    @Test
    void lifeIsUnknownWhereItChangedMeanwhile() throws Exception {
        try (FakeNode node = FakeNode.answering(201, VERSION, "")) {
            assertThat(send(node, WRITE).life()).isEqualTo(1);
        }
        try (FakeNode node = new FakeNode(exchange -> exchange.close())) {
            Target changing = new Target("n1", node.target("n1").api(), node.life::getAndIncrement);

            assertThat(client.send(1, changing, WRITE).join().life()).isEqualTo(Operation.LIFE_UNKNOWN);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
