package dev.kvorum.node.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static reactor.core.publisher.Sinks.EmitFailureHandler.FAIL_FAST;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

@Timeout(20)
class TopologyExchangeTest {
    private static final Topology FIVE = Topologies.of(5, "n1", "n2", "n3");
    private static final Topology SIX = Topologies.of(6, "n1", "n2", "n3", "n4");
    private static final Topology FOREIGN = new Topology("prod", 7, 3, Topologies.PARTITIONS, FIVE.members());
    private static final Member N2 = Topologies.member("n2");

    private final Membership membership = new Membership("n1", FIVE);
    private final List<Long> sent = new ArrayList<>();
    private Sinks.One<byte[]> answer = Sinks.one();
    private long now;
    private final TopologyExchange exchange = new TopologyExchange(
            membership,
            (member, present) -> {
                sent.add(TopologyJson.read(present).epoch());
                return answer.asMono();
            },
            Schedulers.immediate(),
            () -> now);

    private AtomicInteger ended(Mono<Void> exchange) {
        AtomicInteger ends = new AtomicInteger();
        var _ = exchange.subscribe(nothing -> {}, e -> ends.addAndGet(100), ends::incrementAndGet);
        return ends;
    }

    private void answers(Topology theirs) {
        Sinks.One<byte[]> asked = answer;
        answer = Sinks.one();
        answers(theirs, asked);
    }

    private static void answers(Topology theirs, Sinks.One<byte[]> asked) {
        asked.emitValue(TopologyJson.write(theirs), FAIL_FAST);
    }

    private void passMillis(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void newerTopologyOfAnotherMemberIsAdopted() {
        AtomicInteger ends = ended(exchange.learn(N2, 6));
        assertThat(ends).hasValue(0);

        answers(SIX);

        assertThat(ends).hasValue(1);
        assertThat(membership.view().topology()).isEqualTo(SIX);
        assertThat(sent).containsExactly(5L);
    }

    @Test
    void thousandsThatWantTheSameExchangeShareOne() {
        AtomicInteger ends = new AtomicInteger();
        for (int i = 0; i < 5000; i++) {
            var _ = exchange.learn(N2, 6).subscribe(nothing -> {}, e -> {}, ends::incrementAndGet);
        }

        answers(SIX);

        assertThat(ends).hasValue(5000);
        assertThat(sent).hasSize(1);
    }

    @Test
    void epochThatIsKnownNeedsNoExchange() {
        assertThat(ended(exchange.learn(N2, 5))).hasValue(1);
        assertThat(sent).isEmpty();
    }

    @Test
    void memberThatClaimsAnEpochItDoesNotHaveIsLeftAloneMoreAndMore() {
        var _ = ended(exchange.learn(N2, Long.MAX_VALUE));
        answers(FOREIGN);

        passMillis(TopologyExchange.REST_MILLIS_MIN - 1);
        assertThat(ended(exchange.learn(N2, Long.MAX_VALUE))).hasValue(1);
        assertThat(sent).hasSize(1);

        passMillis(1);
        var _ = ended(exchange.learn(N2, Long.MAX_VALUE));
        assertThat(sent).hasSize(2);
        answer.emitError(new IllegalStateException("it has gone"), FAIL_FAST);

        passMillis(2 * TopologyExchange.REST_MILLIS_MIN - 1);
        assertThat(ended(exchange.learn(N2, Long.MAX_VALUE))).hasValue(1);
        assertThat(sent).hasSize(2);
        assertThat(membership.view().topology()).isEqualTo(FIVE);
    }

    @Test
    void restIsNeverLongerThanItsBound() {
        for (int i = 0; i < 100; i++) {
            var _ = ended(exchange.learn(N2, 6));
            answers(FIVE);
            passMillis(TopologyExchange.REST_MILLIS_MAX);
        }

        assertThat(sent).hasSize(100);
    }

    @Test
    void memberThatHasJustBeenTaughtIsNotTaughtTheSameAgain() {
        var _ = ended(exchange.teach(N2));
        answers(FIVE);

        assertThat(ended(exchange.teach(N2))).hasValue(1);
        assertThat(sent).hasSize(1);

        membership.offer(SIX);
        var _ = ended(exchange.teach(N2));
        assertThat(sent).containsExactly(5L, 6L);
    }

    @Test
    void whatIsToBeTaughtBehindAnExchangeOfAFormerEpochIsTaughtAfterIt() {
        var _ = ended(exchange.teach(N2));
        membership.offer(SIX);
        AtomicInteger late = ended(exchange.teach(N2));
        AtomicInteger later = ended(exchange.teach(N2));

        answers(FIVE);

        assertThat(late).hasValue(0);
        assertThat(sent).containsExactly(5L, 6L);

        answers(SIX);

        assertThat(late).hasValue(1);
        assertThat(later).hasValue(1);
        assertThat(sent).hasSize(2);
    }

    @Test
    void whatIsToBeLearnedBehindAnExchangeThatDidNotBringItIsLearnedAfterIt() {
        var _ = ended(exchange.teach(N2));
        AtomicInteger late = ended(exchange.learn(N2, 6));

        answers(FIVE); // It was on its way before the other went on.

        assertThat(late).hasValue(0);

        answers(SIX);

        assertThat(late).hasValue(1);
        assertThat(membership.view().topology()).isEqualTo(SIX);
    }

    /** As many as wait for it: they are not to have one each. */
    @Test
    void epochThatIsClaimedButNotBroughtIsAskedForOnceMore() {
        AtomicInteger ends = new AtomicInteger();
        var _ = ended(exchange.teach(N2));
        for (int i = 0; i < 100; i++) {
            var _ = exchange.learn(N2, 6).subscribe(nothing -> {}, e -> {}, ends::incrementAndGet);
        }
        Sinks.One<byte[]> taught = answer;
        answer = Sinks.one();
        answers(FIVE, answer); // From then on at once.

        answers(FIVE, taught);

        assertThat(ends).hasValue(100);
        assertThat(sent).hasSize(2);
        assertThat(ended(exchange.learn(N2, 6))).hasValue(1);
        assertThat(sent).hasSize(2);
    }

    /** One that has left is told so, but not again and again. */
    @Test
    void memberThatIsNotNamedAnyMoreIsToldOnce() {
        membership.offer(Topologies.of(6, "n1", "n3"));
        AtomicInteger ends = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            var _ = exchange.teach(N2).subscribe(nothing -> {}, e -> {}, ends::incrementAndGet);
        }

        answer.emitError(new IllegalStateException("it has gone"), FAIL_FAST);

        assertThat(ends).hasValue(100);
        assertThat(sent).hasSize(1);
    }

    @Test
    void oneMemberThatIsSilentStandsInNobodysWay() {
        var _ = ended(exchange.learn(N2, 6));
        answer = Sinks.one();
        AtomicInteger other = ended(exchange.learn(Topologies.member("n3"), 6));

        answers(SIX);

        assertThat(other).hasValue(1);
        assertThat(membership.view().epoch()).isEqualTo(6);
    }

    @Test
    void whoAsksWithANewerTopologyIsFollowedAndWhoAsksWithAnOlderIsTold() {
        assertThat(exchange.answer(TopologyJson.write(SIX))
                        .map(TopologyJson::read)
                        .block())
                .isEqualTo(SIX);
        assertThat(exchange.answer(TopologyJson.write(FIVE))
                        .map(TopologyJson::read)
                        .block())
                .isEqualTo(SIX);
        assertThat(exchange.answer(new byte[0]).map(TopologyJson::read).block()).isEqualTo(SIX);
    }

    @Test
    void foreignTopologyIsNotFollowed() {
        assertThat(exchange.answer(TopologyJson.write(FOREIGN))
                        .map(TopologyJson::read)
                        .block())
                .isEqualTo(FIVE);
    }

    @Test
    void epochThatNobodyCanHaveCountedToIsNotFollowed() {
        long furthest = FIVE.epoch() + Membership.EPOCHS_MISSED_MAX;
        for (long epoch : new long[] {furthest + 1, Topology.EPOCH_MAX}) {
            assertThatThrownBy(() -> exchange.answer(TopologyJson.write(Topologies.of(epoch, "n1", "n2")))
                            .block())
                    .isInstanceOf(InvalidTopologyException.class)
                    .hasMessageContaining("at most 1000000 above that in force, 5");
        }
        assertThat(membership.view().topology()).isEqualTo(FIVE);

        var _ = exchange.answer(TopologyJson.write(Topologies.of(furthest, "n1", "n2")))
                .block();

        assertThat(membership.view().epoch()).isEqualTo(furthest);
    }

    @Test
    void onlyTheNextEpochCanBePublished() {
        for (long epoch : new long[] {7, Topology.EPOCH_MAX}) {
            assertThatThrownBy(() -> exchange.propose(TopologyJson.write(Topologies.of(epoch, "n1", "n2")))
                            .block())
                    .isInstanceOf(RefusedTopologyException.class)
                    .hasMessageContaining("goes by epoch 5, so only 6 can be published");
        }

        assertThat(membership.view().topology()).isEqualTo(FIVE);
        assertThat(exchange.propose(TopologyJson.write(FIVE))
                        .map(TopologyJson::read)
                        .block())
                .isEqualTo(FIVE);
    }

    @Test
    void garbageIsRefusedWithTheReason() {
        assertThatThrownBy(() ->
                        exchange.answer("{".getBytes(StandardCharsets.UTF_8)).block())
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("not JSON");
        assertThatThrownBy(() -> exchange.answer(new byte[TopologyExchange.BYTES_MAX + 1])
                        .block())
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("the longest is");
    }

    @Test
    void topologiesThatAreBeingTakenAreBounded() {
        List<Runnable> stuck = new ArrayList<>();
        TopologyExchange slow = new TopologyExchange(
                membership, (member, present) -> Mono.never(), Schedulers.fromExecutor(stuck::add), () -> now);
        List<byte[]> taken = new ArrayList<>();
        for (int i = 0; i < TopologyExchange.ANSWERS_MAX; i++) {
            var _ = slow.answer(TopologyJson.write(SIX)).subscribe(taken::add);
        }

        assertThatThrownBy(() -> slow.answer(TopologyJson.write(SIX)).block())
                .isInstanceOf(RejectedExecutionException.class);

        stuck.forEach(Runnable::run);
        assertThat(taken).hasSize(TopologyExchange.ANSWERS_MAX);
    }

    /** Their bytes are kept until it is their turn. */
    @Test
    void topologiesForWhichNobodyWaitsAnyMoreCountUntilTheyAreTaken() {
        List<Runnable> stuck = new ArrayList<>();
        TopologyExchange slow = new TopologyExchange(
                membership, (member, present) -> Mono.never(), Schedulers.fromExecutor(stuck::add), () -> now);
        for (int i = 0; i < TopologyExchange.ANSWERS_MAX; i++) {
            slow.answer(TopologyJson.write(SIX)).subscribe().dispose();
        }

        assertThatThrownBy(() -> slow.propose(TopologyJson.write(SIX)).block())
                .isInstanceOf(RejectedExecutionException.class);

        stuck.forEach(Runnable::run);
        List<byte[]> taken = new ArrayList<>();
        var _ = slow.answer(TopologyJson.write(SIX)).subscribe(taken::add);
        stuck.getLast().run();
        assertThat(taken).hasSize(1);
    }

    @Test
    void topologiesThatNobodyCanTakeDoNotCount() {
        Scheduler closed = Schedulers.newSingle("closed");
        closed.dispose();
        TopologyExchange ended = new TopologyExchange(membership, (member, present) -> Mono.never(), closed, () -> now);

        for (int i = 0; i < 2 * TopologyExchange.ANSWERS_MAX; i++) {
            assertThatThrownBy(() -> ended.answer(TopologyJson.write(SIX)).block())
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageNotContaining("too many");
        }
    }
}
