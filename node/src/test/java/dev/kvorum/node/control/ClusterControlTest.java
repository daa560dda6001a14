package dev.kvorum.node.control;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.control.Peer;
import dev.kvorum.control.Settled;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReportJson;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What members are asked and told, by nodes that reply as the test says. */
class ClusterControlTest {
    private static final Topology PRESENT = Topologies.of(7, "n1", "n2", "n3");
    private static final Topology NEXT = Topologies.of(8, "n1", "n2", "n3");

    private final Membership membership = new Membership("n2", PRESENT);
    private final TopologyExchange exchange =
            new TopologyExchange(membership, (to, present) -> Mono.never(), Schedulers.immediate(), System::nanoTime);
    private final List<String> asked = new ArrayList<>();
    private final Map<String, Mono<CallReply>> replies = new HashMap<>();
    private final ClusterControl control = new ClusterControl(membership, exchange, Asking::new);
    private int open;

    private final class Asking implements Inquiry {
        Asking() {
            open++;
        }

        @Override
        public Mono<CallReply> call(Peer peer, PeerOperation operation, long epoch, byte[] body) {
            String call = peer.id() + " " + operation + (body.length > 0 ? " told" : "");
            asked.add(call);
            return replies.getOrDefault(
                    call, operation == PeerOperation.TOPOLOGY ? done(TopologyJson.write(PRESENT)) : done(new byte[0]));
        }

        @Override
        public void close() {
            open--;
        }
    }

    private static Mono<CallReply> done(byte[] body) {
        return Mono.just(new CallReply.Done(body));
    }

    private void fails(String call, Reason reason) {
        replies.put(call, Mono.just(new ReplicaFailure(call.substring(0, 2), reason, "as the test says")));
    }

    private void reports(String node, long epoch) {
        String report = """
                {"member": "%s", "cluster": "demo", "partitions": 256, "incarnation": "5f0c2a9e-6c1f-4c3a-9a55-0d8f4b8f3c11",
                 "epoch": %d, "digest": "", "named": true, "rebuilding": 0, "life": {"start": 1, "loss": null},
                 "transfer": {"without": [], "partitions": 0, "verified": 0, "cells": 0, "bytes": 0,
                              "bytesPerSecond": 0, "bytesPerSecondMax": 8388608, "failure": ""},
                 "former": {"pending": 0, "dropped": 0, "failure": ""},
                 "disk": {"free": 1, "used": 1}, "past": {"awayMillis": 0, "graceMillis": 1}}
                """.formatted(node, epoch);
        assertThat(MemberReportJson.readReport(report.getBytes(StandardCharsets.UTF_8)))
                .isNotNull();
        replies.put(node + " MEMBER_REPORT", done(report.getBytes(StandardCharsets.UTF_8)));
    }

    private static Peer peer(String id) {
        return new Peer(id, URI.create("http://" + id + ":9090"));
    }

    @Test
    void membersAndFormerOnesThatAreBehindGetTheNewestAndOthersAreToldNothing() {
        for (String node : List.of("n1", "n3", "n8", "n9")) {
            reports(node, 6);
        }
        reports("n2", 7);

        var report = requireNonNull(
                control.observe(List.of(peer("n9")), List.of(peer("n8"))).block());

        assertThat(report.reports().keySet()).containsExactlyInAnyOrder("n1", "n2", "n3", "n8", "n9");
        assertThat(asked)
                .filteredOn(call -> call.endsWith("told"))
                .containsExactlyInAnyOrder("n1 TOPOLOGY told", "n3 TOPOLOGY told", "n8 TOPOLOGY told");
        assertThat(open).isZero();
    }

    @Test
    void memberThatDoesNotAnswerIsToldWithTheReason() {
        reports("n1", 7);
        reports("n2", 7);
        fails("n3 MEMBER_REPORT", Reason.UNREACHABLE);

        var report = requireNonNull(control.observe(List.of(), List.of()).block());

        assertThat(report.reports().keySet()).containsExactlyInAnyOrder("n1", "n2");
        assertThat(report.silent()).isEqualTo(Map.of("n3", "as the test says"));
    }

    @Test
    void newerTopologyIsAdoptedHere() {
        replies.put("n3 TOPOLOGY", done(TopologyJson.write(NEXT)));

        var report = requireNonNull(control.observe(List.of(), List.of()).block());

        assertThat(report.topology()).isEqualTo(NEXT);
        assertThat(membership.view().epoch()).isEqualTo(8);
    }

    @Test
    void nextTopologyGoesToTheMemberWithTheLowestIdThatIsNotGoneAndThenToTheOthers() {
        control.publish(NEXT, Set.of("n1")).block();

        assertThat(asked.subList(3, asked.size()))
                .startsWith("n2 TOPOLOGY told", "n2 MEMBER_PUBLISH told")
                .containsExactlyInAnyOrder(
                        "n2 TOPOLOGY told", "n2 MEMBER_PUBLISH told", "n1 TOPOLOGY told", "n3 TOPOLOGY told");
    }

    @Test
    void topologyThatTheFirstMemberRefusesReachesNoOther() {
        fails("n1 MEMBER_PUBLISH told", Reason.REFUSED);

        assertThatThrownBy(() -> control.publish(NEXT, Set.of()).block())
                .hasMessage("as the test says")
                .asInstanceOf(InstanceOfAssertFactories.type(UnpublishedException.class))
                .satisfies(e -> assertThat(e.isRefused()).isTrue());
        assertThat(asked).doesNotContain("n2 TOPOLOGY told", "n3 TOPOLOGY told");
    }

    @Test
    void withoutAReplyItIsNotKnownWhetherTheTopologyWasTaken() {
        fails("n1 MEMBER_PUBLISH told", Reason.TIMED_OUT);

        assertThatThrownBy(() -> control.publish(NEXT, Set.of()).block())
                .hasMessageContaining("it is not known whether n1 has taken epoch 8")
                .asInstanceOf(InstanceOfAssertFactories.type(UnpublishedException.class))
                .satisfies(e -> assertThat(e.isRefused()).isFalse());
    }

    @Test
    void refusalToSettleIsTold() {
        fails("n3 MEMBER_SETTLE told", Reason.REFUSED);

        assertThatThrownBy(() -> control.settle(new Settled(7, Set.of("n9")), Set.of("n1", "n3"))
                        .block())
                .hasMessage("n3: as the test says");
        assertThat(asked).containsExactlyInAnyOrder("n1 MEMBER_SETTLE told", "n3 MEMBER_SETTLE told");
    }

    @Test
    void fewRequestsAskAllMembersAtATime() {
        replies.put("n1 TOPOLOGY", Mono.never());
        var first = control.sizes().subscribe();
        var second = control.sizes().subscribe();

        assertThatThrownBy(() -> control.sizes().block()).isInstanceOf(RejectedExecutionException.class);
        first.dispose();
        second.dispose();

        replies.remove("n1 TOPOLOGY");
        assertThat(control.sizes().block()).isNotNull();
        assertThat(open).isZero();
    }
}
