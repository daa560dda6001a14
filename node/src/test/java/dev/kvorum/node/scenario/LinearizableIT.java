package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.NodeClient.text;
import static dev.kvorum.node.cluster.RegisterClient.etag;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.cluster.PeerCalls;
import dev.kvorum.node.cluster.RegisterClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.cluster.TokenLog;
import dev.kvorum.node.replica.PeerOperation;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Linearizable operations and writes with a condition, on three real nodes. */
@Timeout(120)
@Tag("check")
class LinearizableIT {
    private static final long SECOND = 1000L << 16; // Of hybrid time.

    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() {
        cluster = TestCluster.start(directory, 3);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private RegisterClient client(int node) {
        return new RegisterClient(cluster.node(node).apiPort());
    }

    private List<RegisterClient> clients() {
        return List.of(client(0), client(1), client(2));
    }

    @Test
    void whatWasWrittenIsReadThroughEveryNodeUntilItIsDeleted() {
        HttpResponse<byte[]> written = client(0).put("cart", "two apples");

        assertThat(written.statusCode()).isEqualTo(201);
        assertThat(clients()).allSatisfy(client -> {
            assertThat(text(client.get("cart"))).isEqualTo("two apples");
            assertThat(etag(client.get("cart"))).isEqualTo(etag(written));
        });
        assertThat(client(1).delete("cart").statusCode()).isEqualTo(202);
        assertThat(clients())
                .allSatisfy(
                        client -> assertThat(client.get("cart").statusCode()).isEqualTo(404));
    }

    @Test
    void exactlyOneOfRacingWritersWinsAndTheOthersLearnItsVersion() {
        for (int race = 0; race < 5; race++) {
            String key = "race-" + race;
            List<CompletableFuture<HttpResponse<byte[]>>> racers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                racers.add(client(i % 3).putLater(key, "writer " + i, "If-None-Match", "*"));
            }
            List<HttpResponse<byte[]>> ends =
                    racers.stream().map(CompletableFuture::join).toList();

            List<HttpResponse<byte[]>> winners =
                    ends.stream().filter(end -> end.statusCode() == 201).toList();
            List<HttpResponse<byte[]>> losers =
                    ends.stream().filter(end -> end.statusCode() == 412).toList();
            assertThat(ends.stream().map(HttpResponse::statusCode)).containsOnly(201, 412);
            assertThat(winners).hasSize(1);
            assertThat(losers).allSatisfy(end -> assertThat(etag(end)).isEqualTo(etag(winners.getFirst())));
            assertThat(text(client(0).get(key))).isEqualTo("writer " + ends.indexOf(winners.getFirst()));
        }
    }

    @Test
    void noAppendedWordIsLostAndNoneIsThereTwice() throws InterruptedException {
        TokenLog log = new TokenLog("log", clients());

        log.append(6, 10, 42);

        assertThat(log.words()).doesNotHaveDuplicates();
        assertThat(log.words()).containsAll(log.acknowledged());
        assertThat(log.acknowledged().size() + log.unknown().size()).isEqualTo(60);
        assertThat(log.acknowledged()).hasSizeGreaterThan(50);
    }

    @Test
    void conditionIsMetByAVersionThatWasWrittenWithoutOne() {
        cluster.node(0).client().put("plain", "one", "");
        String version = etag(cluster.node(1).client().get("plain", "3/3"));

        HttpResponse<byte[]> first = client(1).put("plain", "two", "If-Match", version);
        HttpResponse<byte[]> second = client(2).put("plain", "three", "If-Match", version);

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(second.statusCode()).isEqualTo(412);
        assertThat(etag(second)).isEqualTo(etag(first));
        assertThat(text(second)).contains("condition-failed").contains("Nothing was written");
        assertThat(text(cluster.node(0).client().get("plain", ""))).isEqualTo("two");
    }

    @Test
    void writeWithoutConditionComesInBetweenAndTheConditionNoticesIt() {
        String version = etag(client(0).put("mixed", "one"));
        cluster.node(1).client().put("mixed", "two", "");

        assertThat(client(2).put("mixed", "three", "If-Match", version).statusCode())
                .isEqualTo(412);
        assertThat(text(client(2).get("mixed"))).isEqualTo("two");
    }

    @Test
    void deletionWithAConditionAndWritingAnewBehindIt() {
        String first = etag(client(0).put("gone", "one"));
        String second = etag(client(0).put("gone", "two"));

        assertThat(client(1).delete("gone", "If-Match", first).statusCode()).isEqualTo(412);
        assertThat(client(1).delete("gone", "If-Match", second).statusCode()).isEqualTo(202);
        assertThat(client(2).delete("gone", "If-Match", "*").statusCode()).isEqualTo(412);
        assertThat(client(2).put("gone", "x", "If-Match", second).statusCode()).isEqualTo(412);
        assertThat(client(2).put("gone", "three", "If-None-Match", "*").statusCode())
                .isEqualTo(201);
        assertThat(client(2).put("gone", "four", "If-Match", "*").statusCode()).isEqualTo(201);
        assertThat(text(client(0).get("gone"))).isEqualTo("four");
    }

    /** Its clock is as far ahead as members tolerate, and the node that writes has not heard of it. */
    @Test
    void writeIsAboveACellOfACoordinatorWhoseClockIsAhead() {
        long ahead = (System.currentTimeMillis() << 16) + 8 * SECOND;
        Cell cell = Draft.ofValue("ahead".getBytes(StandardCharsets.UTF_8))
                .stamp(Key.of("skewed"), new Version(ahead, 7), 3);
        PeerCalls.write(cluster.node(0), "skewed", cell);
        PeerCalls.write(cluster.node(1), "skewed", cell);

        HttpResponse<byte[]> written = client(2).put("skewed", "later");

        assertThat(written.statusCode()).isEqualTo(201);
        assertThat(clients())
                .allSatisfy(client -> assertThat(text(client.get("skewed"))).isEqualTo("later"));
        assertThat(text(cluster.node(0).client().get("skewed", "3/3"))).isEqualTo("later");
    }

    @Test
    void minorityThatIsGoneIsNotNoticedAndAMajorityThatIsGoneIs() {
        client(0).put("few", "one");
        cluster.node(2).stop();

        assertThat(client(0).put("few", "two").statusCode()).isEqualTo(201);
        assertThat(text(client(1).get("few"))).isEqualTo("two");

        cluster.node(1).stop();
        HttpResponse<byte[]> unwritten = client(0).put("few", "three");

        assertThat(unwritten.statusCode()).isEqualTo(504);
        assertThat(text(unwritten)).contains("quorum-unavailable").contains("Nothing was written");
        assertThat(client(0).get("few").statusCode()).isEqualTo(504);
    }

    /** A proposal that one acceptor has, of a round whose coordinator is gone. */
    @Test
    void proposalLeftWithAMinorityIsReadByNobodyUntilAWriteHasFinishedIt() {
        client(0).put("half", "whole");
        long now = System.currentTimeMillis() << 16;
        Cell cell = Draft.ofValue("half-way".getBytes(StandardCharsets.UTF_8))
                .stamp(Key.of("half"), new Version(now + 2, 9), 3);
        assertThat(accept(cluster.node(1), "half", new Version(now + 1, 9), cell)[0])
                .isEqualTo((byte) 1);

        assertThat(clients())
                .allSatisfy(client -> assertThat(text(client.get("half"))).isEqualTo("whole"));
        cluster.node(2).stop(); // Now every majority has the acceptor that knows.
        HttpResponse<byte[]> refused = client(0).put("half", "x", "If-Match", "\"" + "0".repeat(32) + "\"");

        assertThat(refused.statusCode()).isEqualTo(412);
        assertThat(etag(refused)).isEqualTo("\"" + cell.version() + "\"");
        assertThat(text(client(0).get("half"))).isEqualTo("half-way");
    }

    private static byte[] accept(TestNode node, String key, Version ballot, Cell cell) {
        byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(2 + utf8.length + 16 + 16 + 1 + 4 + cell.bytes().length);
        body.putShort((short) utf8.length).put(utf8);
        body.putLong(ballot.hybridTime()).putLong(ballot.author());
        body.putLong(cell.version().hybridTime()).putLong(cell.version().author());
        body.put((byte) 0).putInt(cell.bytes().length).put(cell.bytes());
        return PeerCalls.post(node, PeerOperation.REGISTER_ACCEPT, PeerCalls.atItsEpoch(node, body.array()))
                .body();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    &consistency=foo                   |               |      | must be quorum or linearizable
                    &consistency=linearizable&ack=1    |               |      | leave ack and from out
                    &consistency=quorum                | If-Match      | *    | linearizable
                    &from=3                            | If-Match      | *    | leave ack and from out
                                                       | If-Match      | W/"a" | weak ETag
                                                       | If-Match      | abc  | it must be * or a list of ETags
                                                       | If-Match      | "a   | it must be * or a list of ETags
                                                       | If-Match      | "a" "b" | it must be * or a list of ETags
                                                       | If-Match      | , ,  | it must be * or a list of ETags
                                                       | If-Match      | "a", * | it must be * or a list of ETags
                                                       | If-None-Match | **   | it must be * or a list of ETags
                    """)
    void whatCanNotBeMeantIsRefusedWithWhatWouldBeRight(String query, String header, String value, String reason) {
        String[] headers = header == null ? new String[0] : new String[] {header, value};

        HttpResponse<byte[]> refused = client(0)
                .send("PUT", "hostile", query == null ? "" : query, "value", headers)
                .join();

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(text(refused)).contains(reason);
        assertThat(client(0).get("hostile").statusCode()).isEqualTo(404);
    }

    @Test
    void bothConditionsAtOnceAreRefusedAndListsAreRead() {
        String version = etag(client(0).put("list", "one"));

        HttpResponse<byte[]> both = client(0).put("list", "x", "If-Match", version, "If-None-Match", "*");
        HttpResponse<byte[]> none = client(0).put("list", "x", "If-None-Match", "\"a\" , W/" + version);
        HttpResponse<byte[]> one = client(0).put("list", "two", "If-Match", "\"a\",, " + version + " ");

        assertThat(both.statusCode()).isEqualTo(400);
        assertThat(text(both)).contains("both given");
        assertThat(none.statusCode()).isEqualTo(412);
        assertThat(one.statusCode()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"&consistency=linearizable", "&consistency=quorum&ack=3&from=3"})
    void readAnswersNoValueThatItsClientHas(String mode) {
        String version = etag(client(0).put("known", "one"));

        for (String method : List.of("GET", "HEAD")) {
            for (String known : List.of(version, "W/" + version, "\"a\", " + version, "*")) {
                HttpResponse<byte[]> same = client(1)
                        .send(method, "known", mode, "", "If-None-Match", known)
                        .join();

                assertThat(same.statusCode()).as(known).isEqualTo(304);
                assertThat(etag(same)).isEqualTo(version);
                assertThat(same.headers().firstValue("Kvorum-Version")).isPresent();
                assertThat(same.body()).isEmpty();
            }
            HttpResponse<byte[]> changed = client(1)
                    .send(method, "known", mode, "", "If-None-Match", "\"a\"")
                    .join();
            assertThat(changed.statusCode()).isEqualTo(200);
            assertThat(text(changed)).isEqualTo(method.equals("GET") ? "one" : "");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"&consistency=linearizable", ""})
    void readOfAnotherVersionThanAskedForIsRefused(String mode) {
        String version = etag(client(0).put("other", "one"));

        HttpResponse<byte[]> same =
                client(0).send("GET", "other", mode, "", "If-Match", version).join();
        HttpResponse<byte[]> another =
                client(0).send("GET", "other", mode, "", "If-Match", "\"a\"").join();
        HttpResponse<byte[]> both = client(0)
                .send("GET", "other", mode, "", "If-Match", version, "If-None-Match", version)
                .join();
        HttpResponse<byte[]> absent =
                client(0).send("GET", "nothing", mode, "", "If-Match", "*").join();
        HttpResponse<byte[]> malformed =
                client(0).send("GET", "other", mode, "", "If-None-Match", "abc").join();

        assertThat(same.statusCode()).isEqualTo(200);
        assertThat(another.statusCode()).isEqualTo(412);
        assertThat(etag(another)).isEqualTo(version);
        assertThat(text(another)).contains("condition-failed");
        assertThat(both.statusCode()).isEqualTo(304);
        assertThat(absent.statusCode()).isEqualTo(404);
        assertThat(malformed.statusCode()).isEqualTo(400);
    }
}
