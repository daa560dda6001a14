package dev.kvorum.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The least and the greatest of each number of a topology, and one more. */
class TopologyLimitsTest {
    private static final URI API = URI.create("http://h:8080");
    private static final URI PEER = URI.create("http://h:9090");

    private static List<Member> members(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Clusters.member("n" + i, "z"))
                .toList();
    }

    private static Topology of(long epoch, int replicationFactor, int partitions, int members) {
        return new Topology("demo", epoch, replicationFactor, partitions, members(members));
    }

    private static Member member(URI api, URI peer, double weight) {
        return new Member("n1", api, peer, "z", MemberState.ACTIVE, weight, null);
    }

    private static void assertRefused(Runnable made, String reason) {
        assertThatThrownBy(made::run)
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void leastAndGreatestNumbersAreTaken() {
        assertThat(of(1, 1, 1, 1).epoch()).isOne();
        Topology greatest = of(Topology.EPOCH_MAX, 255, 65536, 255);

        assertThat(greatest.members()).hasSize(255);
        assertThat(TopologyJson.read(TopologyJson.write(greatest))).isEqualTo(greatest);
    }

    @Test
    void oneMoreOrLessIsRefused() {
        assertRefused(() -> of(0, 1, 1, 1), "epoch is 0");
        assertRefused(() -> of(Topology.EPOCH_MAX + 1, 1, 1, 1), "lower-epoch");
        assertRefused(() -> of(1, 0, 1, 1), "replicationFactor is 0");
        assertRefused(() -> of(1, 256, 1, 1), "replicationFactor is 256");
        assertRefused(() -> of(1, 1, 0, 1), "partitions is 0");
        assertRefused(() -> of(1, 1, 65537, 1), "partitions is 65537");
        assertRefused(() -> of(1, 1, 1, 256), "the number of members is 256");
    }

    @Test
    void memberIsFoundByItsId() {
        Topology topology = of(1, 1, 1, 3);

        assertThat(topology.member("n2")).contains(topology.members().get(2));
        assertThat(topology.member("n3")).isEmpty();
    }

    @Test
    void topologyWithoutANameIsReadAsItWasWritten() {
        Topology unnamed = new Topology(null, 1, 1, 1, members(1));

        assertThat(TopologyJson.read(TopologyJson.write(unnamed))).isEqualTo(unnamed);
    }

    @Test
    void nullIsAsGoodAsAFieldThatIsLeftOut() {
        String json = """
                {"epoch": 1, "cluster": null, "replicationFactor": null, "members": [
                 {"id": "n1", "api": "http://h:1", "peer": "http://h:2", "zone": null, "weight": null, "incarnation": null}]}
                """;

        Topology read = TopologyJson.read(json.getBytes(StandardCharsets.UTF_8));

        assertThat(read.cluster()).isNull();
        assertThat(read.replicationFactor()).isEqualTo(3);
        assertThat(read.members().getFirst().zone()).isEqualTo("default");
    }

    @Test
    void placeOfAMistakeInTheFileIsNamed() {
        assertRefused(() -> TopologyJson.read("{\n  oops".getBytes(StandardCharsets.UTF_8)), "(line 2, column ");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.MIN_VALUE, 1, 1000})
    void weightsUpToAThousandAreTaken(double weight) {
        assertThat(member(API, PEER, weight).weight()).isEqualTo(weight);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, 0, 1000.5, Double.NaN, Double.POSITIVE_INFINITY})
    void otherWeightsAreRefused(double weight) {
        assertRefused(() -> member(API, PEER, weight), "is not above 0 and at most 1000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://h:1", "http://h:65535", "http://[::1]:9090"})
    void addressesWithHostAndPortAreTaken(String address) {
        assertThat(member(API, URI.create(address), 1).peer()).hasToString(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://h:0", "http://h:65536", "http://h", "https://h:1", "http:h:1", "//h:1"})
    void otherAddressesAreRefused(String address) {
        assertRefused(() -> member(URI.create(address), PEER, 1), "api \"" + address + "\" is not an address");
        assertRefused(() -> member(API, URI.create(address), 1), "peer \"" + address + "\" is not an address");
    }

    @Test
    void blankZoneIsRefusedAndKnownIncarnationIsTold() {
        UUID incarnation = new UUID(1, 2);

        assertRefused(() -> new Member("n1", API, PEER, " ", MemberState.ACTIVE, 1, null), "zone is blank");
        assertThat(new Member("n1", API, PEER, "z", MemberState.ACTIVE, 1, incarnation).knownIncarnation())
                .contains(incarnation);
        assertThat(member(API, PEER, 1).knownIncarnation()).isEmpty();
    }

    @Test
    void placementKnowsWhoseItIs() {
        List<Member> three = members(3);
        Placement placement = Placement.of(three, 16);

        assertThat(placement.isOf(three, 16)).isTrue();
        assertThat(placement.isOf(members(2), 16)).isFalse();
        assertThat(placement.isOf(three, 8)).isFalse();
        assertThat(placement.size()).isEqualTo(3);
        assertThat(placement.partitions()).isEqualTo(16);
        assertThat(placement.owners(3, 9)).hasSize(3);
        assertThat(placement.order(3)).isSameAs(placement.order(3)); // It is computed once.
    }
}
