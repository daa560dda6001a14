package dev.kvorum.node.membership;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.net.URI;
import java.util.Arrays;
import java.util.List;

/** Made-up topologies for tests. */
public final class Topologies {
    public static final int PARTITIONS = 64;

    private Topologies() {}

    public static Member member(String id) {
        return member(id, MemberState.ACTIVE);
    }

    public static Member member(String id, MemberState state) {
        URI api = URI.create("http://" + id + ":8080");
        return new Member(id, api, URI.create("http://" + id + ":9090"), "zone-" + id, state, 1, null);
    }

    /** A cluster of these members, all active, with three copies of a key. */
    public static Topology of(long epoch, String... ids) {
        return of(epoch, Arrays.stream(ids).map(Topologies::member).toList());
    }

    public static Topology of(long epoch, List<Member> members) {
        return new Topology("demo", epoch, 3, PARTITIONS, members);
    }
}
