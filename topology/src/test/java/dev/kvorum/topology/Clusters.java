package dev.kvorum.topology;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Made-up clusters for tests. */
final class Clusters {
    private Clusters() {}

    static Member member(String id, String zone) {
        return new Member(
                id,
                URI.create("http://" + id + ":8080"),
                URI.create("http://" + id + ":9090"),
                zone,
                MemberState.ACTIVE,
                1,
                null);
    }

    /** So many members with random names, dealt to the zones in turn. */
    static List<Member> random(RandomGenerator random, int members, int zones) {
        List<Member> made = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            made.add(member(Long.toString(random.nextLong() >>> 1, 36) + "x" + i, "zone-" + i % zones));
        }
        return made;
    }
}
