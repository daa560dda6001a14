package dev.kvorum.node.frame;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.frame.FramePair.bodyOf;
import static dev.kvorum.node.frame.FramePair.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.frame.HostileServer.Attack;
import dev.kvorum.node.frame.HostileServer.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.client.reactive.ClientHttpResponse;

/** Calls to a {@link HostileServer}, from when it is made, and what must come of them. */
final class AttackedLink implements AutoCloseable {
    private static final Duration LONG = Duration.ofMinutes(1); // Only what a server does ends a call before that.
    private static final Duration SHORT =
            Duration.ofSeconds(2); // Enough for its server to have all of them, on a slow machine as well.
    private static final int BODY_MAX = 200_000;
    private static final int REASON_MAX = 2000; // Clients are told it.

    private final Attack attack;
    private final HostileServer hostile;
    private final PeerLink link;
    private final List<byte[]> bodies = new ArrayList<>();
    private final List<CompletableFuture<ClientHttpResponse>> answers = new ArrayList<>();

    AttackedLink(FrameServer home, Attack attack, Random random) {
        this.attack = attack;
        this.hostile = new HostileServer(attack, new Random(random.nextLong()));
        Outcome outcome = attack.outcome();
        this.link = home.linkTo(
                        hostile.port(), outcome == Outcome.NOT_GREETED ? SHORT : LONG, new Random(random.nextLong()))
                .open();
        for (int i = 0; i < HostileServer.CALLS; i++) {
            byte[] body = RawFrames.filled(random.nextInt(random.nextBoolean() ? 100 : BODY_MAX), i);
            bodies.add(body);
            answers.add(FramePair.callOver(link, 1, body, (int) (outcome == Outcome.LATE ? SHORT : LONG).toMillis()));
        }
    }

    /** Waits until all calls have ended, as they must. */
    void requireOutcome() {
        eventually(attack + ": its calls have ended", () -> answers.stream().allMatch(CompletableFuture::isDone));
        for (int i = 0; i < answers.size(); i++) {
            if (attack.outcome() == Outcome.ANSWERED) {
                assertThat(bodyOf(answers.get(i))).as(attack.name()).isEqualTo(bodies.get(i));
            } else {
                CallFailedException failure = failureOf(answers.get(i));
                assertThat(failure.reason())
                        .as(attack + ": " + failure.getMessage())
                        .isIn(attack.outcome().reasons());
                assertThat(failure.getMessage()).as(attack.name()).hasSizeLessThan(REASON_MAX);
            }
        }
        if (attack.outcome().isGoodAfterwards()) {
            assertThat(link.isReady()).as(attack.name()).isTrue();
            eventually(attack + ": no call keeps its place", () -> link.inFlight() == 0);
        }
    }

    /** How often the server has begun to do what it does. */
    int attacks() {
        return hostile.attacks();
    }

    @Override
    public void close() {
        link.close();
        hostile.close();
        assertThat(hostile.complaints()).isEmpty();
    }
}
