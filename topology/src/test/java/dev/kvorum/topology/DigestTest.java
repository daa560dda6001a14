package dev.kvorum.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DigestTest {
    private static final URI API = URI.create("http://h:8080");
    private static final Member N1 = member("n1", "http://h1:9090", "a", MemberState.ACTIVE, 1, null);
    private static final Member N2 = member("n2", "http://h2:9090", "b", MemberState.JOINING, 1, null);
    private static final Topology BEGUN = of("demo", 7, 3, 64, Reads.CURRENT, N1, N2);

    private static Member member(
            String id, String peer, String zone, MemberState state, double weight, @Nullable UUID incarnation) {
        return new Member(id, API, URI.create(peer), zone, state, weight, incarnation);
    }

    private static Topology of(String cluster, long epoch, int factor, int partitions, Reads reads, Member... members) {
        return new Topology(cluster, epoch, factor, partitions, List.of(members), reads);
    }

    private static Topology second(Member member) {
        return of("demo", 7, 3, 64, Reads.CURRENT, N1, member);
    }

    @Test
    void sameContentsHaveTheSameDigestInAnyOrder() {
        assertThat(of("demo", 7, 3, 64, Reads.CURRENT, N2, N1).digest())
                .isEqualTo(BEGUN.digest())
                .isPositive();
    }

    /** Nodes of different releases compare theirs: what it is computed from stays as it is. */
    @Test
    void digestIsTheSameInEveryRelease() {
        assertThat(BEGUN.digest()).isEqualTo(7916689059581690897L);
    }

    @Test
    void whateverDiffersShows() {
        List<Topology> others = List.of(
                of("other", 7, 3, 64, Reads.CURRENT, N1, N2),
                of("demo", 8, 3, 64, Reads.CURRENT, N1, N2),
                of("demo", 7, 2, 64, Reads.CURRENT, N1, N2),
                of("demo", 7, 3, 128, Reads.CURRENT, N1, N2),
                of("demo", 7, 3, 64, Reads.NEXT, N1, N2),
                of("demo", 7, 3, 64, Reads.CURRENT, N1),
                second(member("n3", "http://h2:9090", "b", MemberState.JOINING, 1, null)),
                second(member("n2", "http://h3:9090", "b", MemberState.JOINING, 1, null)),
                second(member("n2", "http://h2:9090", "c", MemberState.JOINING, 1, null)),
                second(member("n2", "http://h2:9090", "b", MemberState.ACTIVE, 1, null)),
                second(member("n2", "http://h2:9090", "b", MemberState.JOINING, 2, null)),
                second(member("n2", "http://h2:9090", "b", MemberState.JOINING, 1, new UUID(1, 2))));

        assertThat(others)
                .extracting(Topology::digest)
                .doesNotContain(BEGUN.digest())
                .doesNotHaveDuplicates();
    }
}
