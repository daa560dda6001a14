package dev.kvorum.node.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvorum.control.ClusterReport;
import dev.kvorum.control.ControlClient;
import dev.kvorum.control.ControlException;
import dev.kvorum.control.NodeControl;
import dev.kvorum.control.Peer;
import dev.kvorum.control.Settled;
import dev.kvorum.node.cluster.PeerCalls;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.ChangeRequest;
import dev.kvorum.topology.change.ChangeTopologies;
import dev.kvorum.topology.change.MemberReport;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What whoever changes the members may ask of a node, and what a node does not let be done to it. */
@Timeout(120)
@Tag("check")
class ControlIT {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private final ControlClient client = new ControlClient(Duration.ofSeconds(20));
    private TestCluster cluster;
    private TestNode node;

    @BeforeEach
    void start() {
        cluster = TestCluster.start(directory, 4);
        node = cluster.node(0);
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    private Topology present() {
        return node.bean(Membership.class).view().topology();
    }

    private Topology begun(String leaving) {
        return ChangeTopologies.begin(present(), new ChangeRequest(List.of(), Set.of(leaving), Set.of()));
    }

    private NodeControl control() {
        return control(node);
    }

    private NodeControl control(TestNode asked) {
        return client.node(URI.create("http://127.0.0.1:" + asked.managementPort()));
    }

    private static int status(ThrowingCallable request) {
        return catchThrowableOfType(ControlException.class, request).status();
    }

    private HttpResponse<String> send(String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.managementPort() + path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
        return HTTP.sendAsync(request, BodyHandlers.ofString()).join();
    }

    private int post(String path, String body) {
        return send("POST", path, body).statusCode();
    }

    /** The status of the answer. */
    private int publish(Topology topology) {
        try {
            var _ = control().publish(topology);
            return 200;
        } catch (ControlException e) {
            return e.status();
        }
    }

    @Test
    void nodeTellsItsTopologyItsStateAndHowMuchItHolds() {
        for (int i = 0; i < 500; i++) {
            node.client().put("key-" + i, "value", "4/4");
        }

        assertThat(control().topology()).isEqualTo(present());
        MemberReport report = control().report();
        assertThat(report.member()).isEqualTo("n1");
        assertThat(report.epoch()).isEqualTo(1);
        assertThat(report.named()).isTrue();
        assertThat(report.rebuilding()).isZero();
        assertThat(report.disk().free()).isPositive();
        assertThat(report.disk().used()).isPositive();
        assertThat(control().sizes().bytes()).hasSize(256);
        assertThat(control().sizesOfAll())
                .hasSize(4)
                .allSatisfy((id, sizes) -> assertThat(sizes.bytes()).hasSize(256));
    }

    @Test
    void stepIsTakenOverAndSentAgainIsTakenOverAgain() {
        Topology next = begun("n4");

        assertThat(control().publish(next)).isEqualTo(next);
        assertThat(control().publish(next)).isEqualTo(next);

        assertThat(present()).isEqualTo(next);
        control().settle(new Settled(2, Set.of()));
        assertThat(control().report().transfer().settled()).isTrue();
    }

    /** Whichever node is asked. */
    @Test
    void stepThatIsPublishedThroughAnyNodeReachesAll() {
        Topology next = begun("n4");
        Topology other = begun("n3");
        NodeControl asked = control(cluster.node(2));

        asked.publishToAll(next, Set.of());

        assertThat(cluster.nodes())
                .allSatisfy(
                        each -> assertThat(each.bean(Membership.class).view().topology())
                                .isEqualTo(next));
        asked.settleAll(new Settled(2, Set.of()), List.of("n1", "n3"));
        ClusterReport report = asked.observe(List.of(), List.of());
        assertThat(report.topology()).isEqualTo(next);
        assertThat(report.reports()).hasSize(4);
        assertThat(report.reports().values())
                .filteredOn(member -> member.transfer().settled())
                .extracting(MemberReport::member)
                .containsExactlyInAnyOrder("n1", "n3");
        assertThat(status(() -> asked.publishToAll(other, Set.of()))).isEqualTo(409);
    }

    @Test
    void memberThatIsBehindLearnsTheNewestWhenTheClusterIsObserved() {
        Topology next = begun("n4");
        control(cluster.node(3)).publish(next);

        ClusterReport report = control().observe(List.of(), List.of());

        assertThat(report.topology()).isEqualTo(next);
        assertThat(cluster.nodes())
                .allSatisfy(
                        each -> assertThat(each.bean(Membership.class).view().topology())
                                .isEqualTo(next));
    }

    /** Nor does one at the address of another, which answers all the same. */
    @Test
    void memberThatDoesNotAnswerIsMissing() {
        Member gone = present().member("n3").orElseThrow();
        cluster.node(2).stop();
        Peer alias = new Peer("other", present().member("n2").orElseThrow().peer());

        ClusterReport report = control().observe(List.of(alias), List.of());

        assertThat(report.reports().keySet()).containsExactlyInAnyOrder("n1", "n2", "n4");
        assertThat(control().sizesOfAll()).doesNotContainKey(gone.id());
        assertThat(status(() -> control().publishToAll(begun("n4"), Set.of("n1", "n2", "n4"))))
                .isEqualTo(503);
        assertThat(present().epoch()).isEqualTo(1);
    }

    /** As long as a topology may be, and as a parameter in JSON longer. */
    @Test
    void longTopologyIsUnderstood() {
        Topology next = begun("n4");
        String padded = " ".repeat(200 << 10) + new String(TopologyJson.write(next), StandardCharsets.UTF_8);

        assertThat(post("/actuator/topology", JsonMapper.shared().writeValueAsString(Map.of("topology", padded))))
                .isEqualTo(200);
        assertThat(present()).isEqualTo(next);
    }

    @Test
    void ofTwoTopologiesOfTheSameEpochOneIsRefused() {
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (String leaving : List.of("n1", "n2", "n3", "n4")) {
            Topology next = begun(leaving);
            answers.add(CompletableFuture.supplyAsync(() -> publish(next)));
        }

        assertThat(answers.stream().map(CompletableFuture::join).toList())
                .containsExactlyInAnyOrder(200, 409, 409, 409);
        assertThat(present().epoch()).isEqualTo(2);
    }

    @Test
    void whatIsNoStepIsRefusedWithTheReasonAndNothingChanges() {
        Topology before = present();
        Topology begun = begun("n4");
        Topology finished = ChangeTopologies.finished(ChangeTopologies.switched(begun));
        Topology atOnce = new Topology("test", 2, 3, 256, finished.members());

        assertThatThrownBy(() -> control().publish(atOnce))
                .isInstanceOf(ControlException.class)
                .hasMessageContaining("ACTIVE and LEAVING members are not the present ones");
        assertThat(publish(atOnce)).isEqualTo(409);
        assertThat(publish(new Topology("other", 2, 3, 256, before.members()))).isEqualTo(409);
        assertThat(publish(new Topology("test", 2, 3, 128, before.members()))).isEqualTo(409);
        assertThat(present()).isEqualTo(before);
    }

    @Test
    void stepsCanNotBeLeftOutBySkippingAnEpoch() {
        Topology before = present();
        Topology finished = ChangeTopologies.finished(ChangeTopologies.switched(begun("n4")));
        Topology last = new Topology("test", Topology.EPOCH_MAX, 3, 256, finished.members());

        assertThat(finished.epoch()).isEqualTo(before.epoch() + 3);
        assertThatThrownBy(() -> control().publish(finished))
                .hasMessageContaining("this node goes by epoch 1, so only 2 can be published");
        assertThat(publish(finished)).isEqualTo(409);
        assertThat(publish(last)).isEqualTo(409);
        assertThat(status(() -> control().offer(last))).isEqualTo(400);
        byte[] sent = PeerCalls.at(1, TopologyJson.write(last));
        assertThat(PeerCalls.post(node, PeerOperation.TOPOLOGY, sent).statusCode())
                .isEqualTo(400);
        assertThat(present()).isEqualTo(before);
    }

    @Test
    void garbageIsRefusedAndHarmsNothing() {
        Topology before = present();

        assertThat(List.of(
                        post("/actuator/topology", "{\"topology\": \"{\"}"),
                        post("/actuator/topology", "{\"topology\": \"" + "x".repeat(300 << 10) + "\"}"),
                        post("/actuator/topology", "{}"),
                        post("/actuator/topology", "[]"),
                        post("/actuator/topology/offer", "{\"topology\": \"\"}"),
                        post("/actuator/member/settled", "[]"),
                        post("/actuator/member/settled", "{\"epoch\": \"x\"}"),
                        post("/actuator/member/settled", ""),
                        post("/actuator/cluster/topology", "{\"topology\": \"{}\"}"),
                        post("/actuator/cluster/topology", "{}"),
                        post("/actuator/cluster/settled", "{\"epoch\": 1}")))
                .containsOnly(400);
        assertThat(post("/actuator/member/settled", "{\"epoch\": 1}")).isEqualTo(409);
        assertThat(post("/actuator/topology/anything", "{\"topology\": \"{}\"}"))
                .isEqualTo(404);
        assertThat(send("GET", "/actuator/member/anything", "").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/actuator/cluster?others=n9", "").body())
                .contains("must be like n4=http://10.0.0.7:9090");

        assertThat(present()).isEqualTo(before);
        assertThat(node.client().put("still", "served", "4/4").statusCode()).isEqualTo(201);
    }
}
