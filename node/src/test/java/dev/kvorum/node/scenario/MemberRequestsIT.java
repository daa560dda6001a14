package dev.kvorum.node.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.PeerCalls;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.ChangeRequest;
import dev.kvorum.topology.change.ChangeTopologies;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReportJson;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What whoever changes the members may ask of a node, and what a node does not let be done to it. */
@Timeout(120)
@Tag("check")
class MemberRequestsIT {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private TestCluster cluster;
    private TestNode node;

    @BeforeEach
    void start() {
        cluster = TestCluster.start(directory, 4);
        node = cluster.node(0);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Topology present() {
        return node.bean(Membership.class).view().topology();
    }

    private Topology begun(String leaving) {
        return ChangeTopologies.begin(present(), new ChangeRequest(List.of(), Set.of(leaving), Set.of()));
    }

    private HttpResponse<byte[]> get(String path) {
        URI uri = URI.create("http://127.0.0.1:" + node.peerPort() + path);
        return HTTP.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray())
                .join();
    }

    private HttpResponse<byte[]> post(String path, String body) {
        return PeerCalls.post(node, path, body.getBytes(UTF_8));
    }

    private HttpResponse<byte[]> publish(Topology topology) {
        return PeerCalls.post(node, "/v0/topology", TopologyJson.write(topology));
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), UTF_8);
    }

    private MemberReport report() {
        return MemberReportJson.readReport(get("/v0/member").body());
    }

    @Test
    void nodeTellsItsTopologyItsStateAndHowMuchItHolds() {
        for (int i = 0; i < 500; i++) {
            node.client().put("key-" + i, "value", "4/4");
        }

        assertThat(TopologyJson.read(get("/v0/topology").body())).isEqualTo(present());
        MemberReport report = report();
        assertThat(report.member()).isEqualTo("n1");
        assertThat(report.epoch()).isEqualTo(1);
        assertThat(report.named()).isTrue();
        assertThat(report.rebuilding()).isZero();
        assertThat(report.disk().free()).isPositive();
        assertThat(report.disk().used()).isPositive();
        assertThat(MemberReportJson.readSizes(get("/v0/sizes").body()).bytes()).hasSize(256);
    }

    @Test
    void stepIsTakenOverAndSentAgainIsTakenOverAgain() {
        Topology next = begun("n4");

        assertThat(publish(next).statusCode()).isEqualTo(200);
        assertThat(TopologyJson.read(publish(next).body())).isEqualTo(next);

        assertThat(present()).isEqualTo(next);
        assertThat(post("/v0/settled", "{\"epoch\": 2, \"gone\": []}").statusCode())
                .isEqualTo(204);
        assertThat(report().transfer().settled()).isTrue();
    }

    @Test
    void ofTwoTopologiesOfTheSameEpochOneIsRefused() {
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (String leaving : List.of("n1", "n2", "n3", "n4")) {
            Topology next = begun(leaving);
            answers.add(CompletableFuture.supplyAsync(() -> publish(next).statusCode()));
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

        HttpResponse<byte[]> refused = publish(atOnce);

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(text(refused)).contains("ACTIVE and LEAVING members are not the present ones");
        assertThat(publish(new Topology("other", 2, 3, 256, before.members())).statusCode())
                .isEqualTo(409);
        assertThat(publish(new Topology("test", 2, 3, 128, before.members())).statusCode())
                .isEqualTo(409);
        assertThat(present()).isEqualTo(before);
    }

    @Test
    void stepsCanNotBeLeftOutBySkippingAnEpoch() {
        Topology before = present();
        Topology finished = ChangeTopologies.finished(ChangeTopologies.switched(begun("n4")));
        Topology last = new Topology("test", Topology.EPOCH_MAX, 3, 256, finished.members());

        assertThat(finished.epoch()).isEqualTo(before.epoch() + 3);
        HttpResponse<byte[]> refused = publish(finished);

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(text(refused)).contains("this node goes by epoch 1, so only 2 can be published");
        assertThat(publish(last).statusCode()).isEqualTo(409);
        byte[] sent = PeerCalls.at(1, TopologyJson.write(last));
        assertThat(PeerCalls.post(node, "/replica/topology", sent).statusCode()).isEqualTo(400);
        assertThat(present()).isEqualTo(before);
    }

    @Test
    void garbageIsRefusedAndHarmsNothing() {
        Topology before = present();

        assertThat(post("/v0/topology", "{").statusCode()).isEqualTo(400);
        assertThat(post("/v0/topology", "").statusCode()).isEqualTo(400);
        assertThat(post("/v0/topology", "x".repeat(300 << 10)).statusCode()).isEqualTo(400);
        assertThat(post("/v0/settled", "[]").statusCode()).isEqualTo(400);
        assertThat(post("/v0/settled", "{\"epoch\": \"1\"}").statusCode()).isEqualTo(400);
        assertThat(post("/v0/settled", "{\"epoch\": 1, \"gone\": [3]}").statusCode())
                .isEqualTo(400);
        assertThat(post("/v0/settled", "").statusCode()).isEqualTo(400);
        assertThat(post("/v0/settled", "{\"epoch\": 1}").statusCode()).isEqualTo(409);
        assertThat(get("/v0/anything").statusCode()).isEqualTo(400);
        assertThat(post("/v0/member", "{}").statusCode()).isEqualTo(400);

        assertThat(present()).isEqualTo(before);
        assertThat(node.client().put("still", "served", "4/4").statusCode()).isEqualTo(201);
    }
}
