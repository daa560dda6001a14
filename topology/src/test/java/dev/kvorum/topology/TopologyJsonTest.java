package dev.kvorum.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyJsonTest {
    private static final String N1 = "{'id': 'n1', 'api': 'http://h:1', 'peer': 'http://h:2'}";

    private static Topology read(String json) {
        return TopologyJson.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shortestFileGetsTheDefaults() {
        Topology topology = read("{'epoch': 1, 'members': [" + N1 + "]}");

        assertThat(topology.cluster()).isNull();
        assertThat(topology.replicationFactor()).isEqualTo(3);
        assertThat(topology.partitions()).isEqualTo(4096);
        assertThat(topology.members().getFirst().zone()).isEqualTo("default");
        assertThat(topology.members().getFirst().state()).isEqualTo(MemberState.ACTIVE);
        assertThat(topology.members().getFirst().weight()).isEqualTo(1);
    }

    @Test
    void whatIsWrittenIsReadBackEqual() {
        Member first = Clusters.member("n1", "a");
        Member second = new Member(
                "n2", first.api(), Clusters.member("n2", "b").peer(), "b", MemberState.JOINING, 2.5, new UUID(1, 2));
        Topology topology = new Topology("demo", 7, 2, 512, List.of(first, second));

        assertThat(TopologyJson.read(TopologyJson.write(topology))).isEqualTo(topology);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                                                              | the file is not a JSON object
            []                                                              | the file is not a JSON object
            {'epoch': 1, 'members': [                                       | not JSON
            {'epoch': 1, 'epoch': 2, 'members': [N1]}                       | not JSON: Duplicate
            {'epoch': 1, 'members': [N1]} {}                                | not JSON
            {'members': [N1]}                                               | epoch is missing
            {'epoch': 0, 'members': [N1]}                                   | epoch is 0, but must be from 1
            {'epoch': 9007199254740993, 'members': [N1]}                    | must be from 1 to 9007199254740992
            {'epoch': 9223372036854775807, 'members': [N1]}                 | repaired by the command lower-epoch
            {'epoch': 1e400, 'members': [N1]}                               | must be a whole number
            {'epoch': 123456789012345678901234567890, 'members': [N1]}      | must be a whole number
            {'epoch': '1', 'members': [N1]}                                 | epoch is "1", but must be a whole number
            {'epoch': 1.5, 'members': [N1]}                                 | epoch is 1.5, but must be a whole number
            {'epoch': 1}                                                    | members is missing
            {'epoch': 1, 'members': []}                                     | the number of members is 0
            {'epoch': 1, 'members': {}}                                     | members is not a list
            {'epoch': 1, 'members': [7]}                                    | members[0] is not a JSON object
            {'epoch': 1, 'members': [N1, N1]}                               | two members have the id "n1"
            {'epoch': 1, 'cluster': ' ', 'members': [N1]}                   | cluster is blank
            {'epoch': 1, 'replicationFactor': 0, 'members': [N1]}           | replicationFactor is 0, but must be from 1 to 255
            {'epoch': 1, 'replicationFactor': 5000000000, 'members': [N1]}  | replicationFactor is 5000000000
            {'epoch': 1, 'partitions': 70000, 'members': [N1]}              | partitions is 70000, but must be from 1 to 65536
            {'epoch': 1, 'replicas': 3, 'members': [N1]}                    | replicas is not a field; the fields are cluster, epoch
            {'epoch': 1, 'members': [{'api': 'http://h:1', 'peer': 'http://h:2'}]} | members[0].id is missing
            {'epoch': 1, 'members': [N1, {'id': 'n2', 'api': 'http://h:3', 'peer': 'http://h:2'}]} | have the same peer address
            {'epoch': 1, 'members': [{'id': 'N_1', 'api': 'http://h:1', 'peer': 'http://h:2'}]} | members[0].id "N_1" is not a DNS label
            {'epoch': 1, 'members': [{'id': 'n1', 'api': 'h:1', 'peer': 'http://h:2'}]} | members[0].api "h:1" is not an address
            {'epoch': 1, 'members': [{'id': 'n1', 'api': 'http://h', 'peer': 'http://h:2'}]} | members[0].api "http://h" is not an address
            {'epoch': 1, 'members': [{'id': 'n1', 'api': 'http://h:1', 'peer': 'http:// h:2'}]} | members[0].peer is not a URI
            {'epoch': 1, 'members': [{'id': 'n1', 'api': 'http://h:1', 'peer': 'http://h:2', 'state': 'active'}]} | must be one of [JOINING, ACTIVE, LEAVING]
            {'epoch': 1, 'members': [{'id': 'n1', 'api': 'http://h:1', 'peer': 'http://h:2', 'state': 'JOINING'}]} | no member is ACTIVE or LEAVING
            {'epoch': 1, 'members': [{'id': 'n1', 'api': 'http://h:1', 'peer': 'http://h:2', 'state': 'LEAVING'}]} | no member is ACTIVE or JOINING
            {'epoch': 1, 'reads': 'next', 'members': [N1]}                  | reads is "next", but must be one of [CURRENT, NEXT, BACK]
            {'epoch': 1, 'reads': 'NEXT', 'members': [N1]}                  | reads is NEXT, but no member is JOINING or LEAVING
            {'epoch': 1, 'reads': 'BACK', 'members': [N1]}                  | reads is BACK, but no member is JOINING or LEAVING
            {'epoch': 1, 'members': [{'id': 'n1', 'api': 'http://h:1', 'peer': 'http://h:2', 'weight': 0}]} | members[0].weight 0.0 is not above 0
            {'epoch': 1, 'members': [{'id': 'n1', 'api': 'http://h:1', 'peer': 'http://h:2', 'weight': 'x'}]} | weight is "x", but must be a number
            {'epoch': 1, 'members': [{'id': 'n1', 'api': 'http://h:1', 'peer': 'http://h:2', 'incarnation': 'x'}]} | incarnation "x" is not a UUID
            """)
    void brokenFileIsRefusedWithTheReason(String json, String reason) {
        assertThatThrownBy(() -> read(json.replace("N1", N1)))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void nameOfAClusterIsNoLongerThanItsGreetingMayBe() {
        String json = "{'epoch': 1, 'cluster': '%s', 'members': [" + N1 + "]}";

        assertThat(read(json.formatted("x".repeat(253))).cluster()).hasSize(253);
        assertThatThrownBy(() -> read(json.formatted("x".repeat(254))))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("cluster has 254 characters");
    }

    @Test
    void statesTellWhoOwnsNowAndNext() {
        Member joining = state("n1", MemberState.JOINING);
        Member active = state("n2", MemberState.ACTIVE);
        Member leaving = state("n3", MemberState.LEAVING);
        Topology topology = new Topology(null, 1, 3, 16, List.of(joining, active, leaving));

        assertThat(topology.currentOwners()).containsExactly(active, leaving);
        assertThat(topology.nextOwners()).containsExactly(joining, active);
        assertThat(Placement.next(topology).order(3)).containsExactlyInAnyOrder(joining, active);
        assertThat(Placement.current(topology).order(3)).containsExactlyInAnyOrder(active, leaving);
    }

    private static Member state(String id, MemberState state) {
        Member member = Clusters.member(id, "a");
        return new Member(id, member.api(), member.peer(), member.zone(), state, 1, null);
    }

    /** What reading says are the fields, it says as it refuses another. */
    private static Stream<String> fields(String withUnknownField) {
        Throwable refusal = catchThrowableOfType(InvalidTopologyException.class, () -> read(withUnknownField));
        String text = String.valueOf(refusal.getMessage());
        String list = text.substring(text.indexOf("the fields are ") + "the fields are ".length());
        return Stream.of(list.split(", "));
    }

    /** Who writes a topology by hand, or makes one in another implementation, knows the fields from there. */
    @Test
    void everyFieldHasItsRowInTheDocument() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "operations.md"));
        String table = document.substring(
                document.indexOf("## The topology file"), document.indexOf("## Changing the members"));
        Stream<String> ofFile =
                fields("{'epoch': 1, 'x': 1, 'members': [" + N1 + "]}").filter(name -> !name.equals("members"));
        Stream<String> ofMember = fields("{'epoch': 1, 'members': [{'x': 1}]}").map(name -> "members[]." + name);

        assertThat(Pattern.compile("(?m)^\\| `([^`]+)` \\|").matcher(table).results())
                .extracting(row -> row.group(1))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(ofFile, ofMember).toList());
    }
}
