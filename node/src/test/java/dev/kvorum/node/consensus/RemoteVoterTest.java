package dev.kvorum.node.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class RemoteVoterTest {
    private static final Key KEY = Key.of("cart-7");
    private static final ReplicaFailure BEHIND = new ReplicaFailure("n2", Reason.BEHIND, "detail");
    private static final CallReply EMPTY = new CallReply.Done(RegisterProtocol.encode(new Vote.Answered("n2", null)));

    private final Deque<CallReply> replies = new ArrayDeque<>();
    private final RemoteVoter voter = new RemoteVoter(
            Topologies.member("n2"), (member, path, epoch, body) -> Mono.fromSupplier(replies::removeFirst));

    private Vote query() {
        return Objects.requireNonNull(voter.query(KEY, 7).block());
    }

    @Test
    void memberThatWentByAnOlderTopologyIsCalledOnceAgain() {
        replies.add(BEHIND);
        replies.add(EMPTY);
        assertThat(query()).isEqualTo(new Vote.Answered("n2", null));

        replies.add(BEHIND);
        replies.add(BEHIND);
        replies.add(EMPTY);
        assertThat(query()).isEqualTo(new Vote.Failed(BEHIND));
        assertThat(replies).hasSize(1);
    }

    @Test
    void otherFailuresAreVotesAtOnce() {
        ReplicaFailure stale = new ReplicaFailure("n2", Reason.STALE, "detail");
        replies.add(stale);
        replies.add(EMPTY);

        assertThat(query()).isEqualTo(new Vote.Failed(stale));
        assertThat(replies).hasSize(1);
    }

    @Test
    void replyThatIsNoVoteIsAFailureOfThatMember() {
        replies.add(new CallReply.Done(new byte[] {1, 2, 3}));

        assertThat(query()).isInstanceOfSatisfying(Vote.Failed.class, failed -> {
            assertThat(failed.member()).isEqualTo("n2");
            assertThat(failed.failure().reason()).isEqualTo(Reason.BROKEN);
            assertThat(failed.failure().detail()).contains("it ends too early");
        });
        assertThat(voter.member()).isEqualTo("n2");
    }
}
