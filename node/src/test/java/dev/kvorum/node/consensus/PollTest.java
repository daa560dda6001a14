package dev.kvorum.node.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class PollTest {
    private static final Electorate ELECTORATE = new Electorate(
            List.of(new Named("n1"), new Named("n2"), new Named("n3")), Quorum.majorityOf(3), null, 3, 1);

    private final Map<String, Sinks.One<Vote>> answers =
            Map.of("n1", Sinks.one(), "n2", Sinks.one(), "n3", Sinks.one());
    private final List<String> heard = new ArrayList<>();
    private final List<Poll> decided = new ArrayList<>();

    private Sinks.One<Vote> of(String member) {
        return Objects.requireNonNull(answers.get(member));
    }

    private void ask() {
        var _ = Poll.take(
                        ELECTORATE,
                        voter -> of(voter.member()).asMono(),
                        vote -> heard.add(vote.member()),
                        () -> heard.add("all"))
                .subscribe(decided::add);
    }

    private void answer(Vote vote) {
        of(vote.member()).tryEmitValue(vote).orThrow();
    }

    private static Vote failed(String member, Reason reason) {
        return new Vote.Failed(new ReplicaFailure(member, reason, "detail"));
    }

    @Test
    void majorityDecidesAndTheSlowestIsStillHeard() {
        ask();
        answer(new Vote.Done("n3"));
        assertThat(decided).isEmpty();

        answer(new Vote.Done("n1"));
        assertThat(decided).singleElement().satisfies(poll -> {
            assertThat(poll.isWon()).isTrue();
            assertThat(poll.acks()).isEqualTo(2);
            assertThat(poll.votes()).containsExactly(new Vote.Done("n3"), new Vote.Done("n1"));
            assertThat(poll.electorate()).isSameAs(ELECTORATE);
        });
        assertThat(heard).containsExactly("n3", "n1");

        answer(new Vote.Done("n2"));
        assertThat(heard).containsExactly("n3", "n1", "n2", "all");
        assertThat(decided)
                .singleElement()
                .satisfies(poll -> assertThat(poll.votes()).hasSize(2));
    }

    @Test
    void pollIsLostAsSoonAsThereCanBeNoMajority() {
        Version promised = new Version(9 << 16, 5);
        ask();

        answer(new Vote.Done("n1"));
        answer(new Vote.Outbid("n2", promised));
        assertThat(decided).isEmpty();
        answer(failed("n3", Reason.OVERLOADED));

        assertThat(decided).singleElement().satisfies(poll -> {
            assertThat(poll.isWon()).isFalse();
            assertThat(poll.outbids()).containsExactly(new Vote.Outbid("n2", promised));
            assertThat(poll.shortfall().quorum()).isEqualTo(new Quorum(2, 3));
            assertThat(poll.shortfall().acks()).isOne();
            assertThat(poll.shortfall().failures())
                    .containsExactly(new ReplicaFailure("n3", Reason.OVERLOADED, "detail"));
        });
    }

    @Test
    void errorOfACallIsAVoteThatFailed() {
        ask();

        answer(failed("n1", Reason.TIMED_OUT));
        of("n2").tryEmitError(new IllegalStateException("planned")).orThrow();

        assertThat(decided)
                .singleElement()
                .satisfies(poll -> assertThat(poll.failures())
                        .extracting(ReplicaFailure::member, ReplicaFailure::reason)
                        .containsExactly(tuple("n1", Reason.TIMED_OUT), tuple("n2", Reason.BROKEN)));
    }

    /** A voter that is only asked for its name. */
    private record Named(String member) implements Voter {
        @Override
        public Mono<Vote> query(Key key, long epoch) {
            throw new AssertionError("nobody asks it");
        }

        @Override
        public Mono<Vote> fetch(Key key, long epoch) {
            throw new AssertionError("nobody asks it");
        }

        @Override
        public Mono<Vote> prepare(Key key, Version ballot, boolean settles, long epoch) {
            throw new AssertionError("nobody asks it");
        }

        @Override
        public Mono<Vote> accept(Key key, Proposal proposal, long epoch) {
            throw new AssertionError("nobody asks it");
        }

        @Override
        public Mono<Vote> commit(Key key, Cell cell, long epoch) {
            throw new AssertionError("nobody asks it");
        }
    }
}
