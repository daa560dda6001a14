package dev.kvorum.node.frame;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which process speaks at one end of a connection: a member of a cluster, with one of its data directories, started for the so many-th time.
 *
 * @param cluster null where the topology names none
 * @param member its id; empty for a caller that is no member, or has not claimed its data directory yet
 * @param incarnation of the data directory; zero where there is none
 * @param start counts the starts on that directory, from 1; 0 where there is none
 */
public record PeerIdentity(@Nullable String cluster, String member, UUID incarnation, long start) {
    private static final UUID NO_DIRECTORY = new UUID(0, 0);

    /** A caller that speaks for no member. */
    public static PeerIdentity ofNoMember(@Nullable String cluster) {
        return new PeerIdentity(cluster, "", NO_DIRECTORY, 0);
    }

    /**
     * Why this node is not the one that was meant, where it answers at the address of that member; null if it is.
     *
     * @param meant id of the member that is called; empty where any node at the address is
     */
    public @Nullable String mistake(String meant) {
        return meant.isEmpty() || meant.equals(member)
                ? null
                : "member \"" + member + "\" answers at this address instead of \"" + meant
                        + "\": correct the address in the topology, or the name service";
    }
}
