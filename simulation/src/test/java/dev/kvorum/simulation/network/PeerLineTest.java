package dev.kvorum.simulation.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.frame.CallFailedException;
import dev.kvorum.node.frame.FrameService.Reply;
import dev.kvorum.node.frame.PeerIdentity;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.MachineClock;
import dev.kvorum.simulation.world.ProcessLife;
import dev.kvorum.simulation.world.Timeline;
import dev.kvorum.simulation.world.Trace;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.reactive.ClientHttpRequest;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

class PeerLineTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Mono<Reply> DONE = Mono.just(new Reply(HttpStatus.NO_CONTENT, new byte[0]));

    private final Timeline timeline = new Timeline();
    private final Network network =
            new Network(new Weather(1000, 1000, 0, 0, false), timeline, Chance.of(1), new Trace(timeline, null));
    private final List<Integer> served = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final Place caller = new Place("n1");
    private final Place peer = new Place("n2");
    private Mono<Reply> answer = DONE;

    /** A machine with a process that serves calls as the test says. */
    private final class Place implements Station {
        private final ProcessLife life = new ProcessLife(timeline, new MachineClock(timeline), 1);
        private final PeerLine line;
        private @Nullable PeerDoor door;
        private boolean isUp = true;

        Place(String name) {
            line = new PeerLine(name, life, timeline, network, TIMEOUT, Chance.of(2));
            door = new PeerDoor(PeerIdentity.ofNoMember(null), life, (operation, body) -> serve(operation), new Bugs());
            network.connect(name, this);
        }

        @Override
        public boolean isUp() {
            return isUp;
        }

        @Override
        public @Nullable PeerDoor door() {
            return door;
        }

        @Override
        public PeerLine line() {
            return line;
        }
    }

    private Mono<Reply> serve(int operation) {
        served.add(operation);
        return answer;
    }

    private Disposable call() {
        return caller.line
                .connect(HttpMethod.POST, URI.create("http://n2:9090/here"), ClientHttpRequest::setComplete)
                .subscribe(
                        response -> told.add(response.getStatusCode().toString()),
                        e -> told.add(((CallFailedException) e).reason().name()));
    }

    private void pass(Duration time) {
        timeline.runUntil(timeline.now() + time.toNanos());
    }

    @Test
    void callIsServedAndAnswered() {
        var _ = call();
        pass(SOON);

        assertThat(served).containsExactly(16);
        assertThat(told).containsExactly("204 NO_CONTENT");
    }

    @Test
    void whereNoProcessListensACallIsRefusedAtOnce() {
        peer.door = null;

        var _ = call();
        pass(SOON);

        assertThat(told).containsExactly("UNREACHABLE");
    }

    @Test
    void machineThatIsDownSaysNothing() {
        peer.isUp = false;

        var _ = call();
        pass(SOON);
        assertThat(told).isEmpty();

        pass(TIMEOUT);
        assertThat(told).containsExactly("TIMED_OUT");
    }

    @Test
    void lateReplyIsOfNoUse() {
        answer = Mono.never();
        var _ = call();
        pass(TIMEOUT.plus(SOON));

        assertThat(served).hasSize(1);
        assertThat(told).containsExactly("TIMED_OUT");
    }

    @Test
    void callThatArrivesTwiceIsServedTwiceAndAnsweredOnce() {
        network.link("n1", "n2").begin(LinkFault.duplication(1));

        var _ = call();
        pass(SOON);

        assertThat(served).hasSize(2);
        assertThat(told).containsExactly("204 NO_CONTENT");
    }

    @Test
    void callThatIsCancelledAtOnceIsNotSent() {
        call().dispose();
        pass(SOON);

        assertThat(served).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void callThatIsCancelledLaterIsCancelledThere() {
        List<String> cancelled = new ArrayList<>();
        answer = Mono.<Reply>never().doOnCancel(() -> cancelled.add("there"));
        Disposable call = call();
        pass(SOON);

        call.dispose();
        pass(SOON);

        assertThat(cancelled).hasSize(1);
    }

    @Test
    void fullLinkFailsACallAtOnce() {
        network.link("n1", "n2").begin(LinkFault.overflow());

        var _ = call();

        assertThat(told).containsExactly("OVERLOADED");
    }

    @Test
    void processThatEndsIsHeardOf() {
        answer = Mono.never();
        var _ = call();
        pass(SOON);

        peer.life.end();
        peer.line.hangUp(List.of("n1"));
        pass(SOON);

        assertThat(told).containsExactly("UNREACHABLE");
    }

    @Test
    void processThatHasEndedHearsNothingMore() {
        var _ = call();
        caller.life.end();
        pass(TIMEOUT.plus(SOON));

        assertThat(told).isEmpty();
    }
}
