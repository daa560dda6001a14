package dev.kvorum.node.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class AnnouncementTest {
    private static final int AGAIN_MAX = (int) Announcement.AGAIN_FOR.dividedBy(Announcement.BETWEEN);

    private final Membership membership = new Membership("n2", Topologies.of(7, "n1", "n2", "n3"));
    private final AtomicLong clock = new AtomicLong();
    private final Deadlines deadlines = new Deadlines(clock::get, () -> {});
    private final List<String> told = new ArrayList<>();
    private final Set<String> unreachable = new HashSet<>();
    private final Map<String, Sinks.One<CallReply>> silent = new HashMap<>();

    private final PeerCalls calls = new PeerCalls() {
        @Override
        public Mono<CallReply> call(Member member, PeerOperation operation, long epoch, byte[] body) {
            told.add(member.id() + " " + operation + " " + epoch + " " + new String(body, StandardCharsets.UTF_8));
            if (silent.containsKey(member.id())) {
                return silent.get(member.id()).asMono();
            }
            return Mono.just(
                    unreachable.contains(member.id())
                            ? new ReplicaFailure(member.id(), Reason.UNREACHABLE, "refused")
                            : new CallReply.Done(new byte[0]));
        }
    };

    private void announce() {
        new Announcement(membership, calls, deadlines).make();
    }

    /** So many times the time between two calls, and the millisecond that a deadline may be late each time. */
    private void pass(int times) {
        for (int i = 0; i < times; i++) {
            clock.addAndGet(Announcement.BETWEEN.toNanos() + TimeUnit.MILLISECONDS.toNanos(1));
            deadlines.sweep();
        }
    }

    @Test
    void allOthersAreToldOnceWhoIsThere() {
        announce();
        pass(2);

        assertThat(told).containsExactly("n1 HERE 7 n2", "n3 HERE 7 n2");
    }

    @Test
    void memberThatCannotBeReachedYetIsToldAgainUntilItIs() {
        unreachable.add("n1");
        announce();
        pass(3);
        assertThat(told).filteredOn(call -> call.startsWith("n1")).hasSize(4);

        unreachable.clear();
        pass(10);

        assertThat(told).filteredOn(call -> call.startsWith("n1")).hasSize(5);
        assertThat(told).filteredOn(call -> call.startsWith("n3")).hasSize(1);
    }

    @Test
    void memberThatIsGoneIsNotToldForEver() {
        unreachable.add("n3");
        announce();

        pass(10 * AGAIN_MAX);

        assertThat(told).filteredOn(call -> call.startsWith("n3")).hasSize(1 + AGAIN_MAX);
    }

    @Test
    void memberThatIsSilentIsNotToldAgainWhenTheTimeIsOver() {
        Sinks.One<CallReply> answer = Sinks.one();
        silent.put("n3", answer);
        announce();
        pass(AGAIN_MAX);

        answer.tryEmitValue(new ReplicaFailure("n3", Reason.TIMED_OUT, "silent"))
                .orThrow();
        pass(2);

        assertThat(told).filteredOn(call -> call.startsWith("n3")).hasSize(1);
    }
}
