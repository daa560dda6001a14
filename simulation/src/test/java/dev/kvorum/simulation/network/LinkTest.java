package dev.kvorum.simulation.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import dev.kvorum.simulation.world.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LinkTest {
    private static final long LATENCY = 100;
    private static final long LONG = 1_000_000_000;

    private final Timeline timeline = new Timeline();
    private final List<Integer> arrived = new ArrayList<>();
    private final Link link = link(new Weather(LATENCY, LATENCY, 0, 0, false));

    private Link link(Weather weather) {
        return new Link("a", "b", weather, timeline, Chance.of(1), new Trace(timeline, null));
    }

    private void send(Link way, int number) {
        way.send(Message.of("message", number, () -> "", () -> arrived.add(number)));
    }

    private void sendMany(Link way) {
        IntStream.range(0, 100).forEach(number -> send(way, number));
    }

    @Test
    void messageTakesItsTime() {
        send(link, 1);

        timeline.runUntil(LATENCY - 1);
        assertThat(arrived).isEmpty();

        timeline.runUntil(LONG);
        assertThat(arrived).containsExactly(1);
    }

    @Test
    void messagesOvertakeEachOtherUnlessTheLinkKeepsTheirOrder() {
        sendMany(link);
        timeline.runUntil(LONG);
        assertThat(arrived).hasSize(100).isNotEqualTo(arrived.stream().sorted().toList());

        arrived.clear();
        sendMany(link(new Weather(LATENCY, LATENCY, 0, 0, true)));
        timeline.runUntil(2 * LONG);
        assertThat(arrived).hasSize(100).isSorted();
    }

    @Test
    void cutLinkLosesAllAndALossyOneSome() {
        LinkFault cut = LinkFault.cut();
        link.begin(cut);
        sendMany(link);
        link.end(cut);
        timeline.runUntil(LONG);
        assertThat(arrived).isEmpty();

        link.begin(LinkFault.loss(0.5));
        sendMany(link);
        timeline.runUntil(2 * LONG);
        assertThat(arrived).hasSizeBetween(20, 80);
    }

    @Test
    void messageMayArriveTwice() {
        link.begin(LinkFault.duplication(1));
        send(link, 1);
        timeline.runUntil(LONG);

        assertThat(arrived).containsExactly(1, 1);
    }

    @Test
    void cloggedLinkHoldsWhatItGetsUntilTheLastClogIsGone() {
        link.begin(LinkFault.clog());
        link.begin(LinkFault.clog());
        sendMany(link);

        link.end(LinkFault.clog());
        timeline.runUntil(LONG);
        assertThat(arrived).isEmpty();

        link.end(LinkFault.clog());
        timeline.runUntil(2 * LONG);
        assertThat(arrived).hasSize(100);
    }

    @Test
    void whatIsCalledOffWhileTheLinkIsCloggedMayNotBeSentAtAll() {
        link.begin(LinkFault.clog());
        IntStream.range(0, 100)
                .forEach(number ->
                        link.send(new Message("message", number, () -> "", () -> true, () -> arrived.add(number))));

        link.end(LinkFault.clog());
        timeline.runUntil(LONG);

        assertThat(arrived).hasSizeBetween(20, 80);
    }

    @Test
    void faultsAddUpAndEndOneByOne() {
        LinkFault delay = LinkFault.delay(LONG);
        link.begin(delay);
        link.begin(LinkFault.overflow());
        assertThat(link.isFull()).isTrue();
        link.end(LinkFault.overflow());
        assertThat(link.isFull()).isFalse();

        sendMany(link);
        timeline.runUntil(LONG / 2);
        assertThat(arrived).hasSizeBetween(20, 80);
    }
}
