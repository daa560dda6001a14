package dev.kvorum.operator.cluster;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import java.net.URI;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What everything of a cluster is called. A member's id is the name of its pod, so it says which seat it has.
 *
 * @param zoned whether zones are asked for: then their names are in those of the pods
 */
public record ClusterName(String namespace, String name, boolean zoned) {
    public static final int API_PORT = 8080;
    public static final int PEER_PORT = 9090;
    public static final int MANAGEMENT_PORT = 8081;

    private static final String VOLUME = "data";
    private static final Pattern MEMBER = Pattern.compile(".+-(0|[1-9][0-9]{0,3})");

    /** What its nodes know it by: clusters of one name in two namespaces are two. */
    public String identity() {
        return namespace + "/" + name;
    }

    /** The StatefulSet of a zone. */
    public String set(String zone) {
        return zoned ? name + "-" + zone : name;
    }

    /** The member at that seat, and its pod. */
    public String member(Seat seat) {
        return set(seat.zone()) + "-" + seat.ordinal();
    }

    /** The volume claim of a member. */
    public String volume(String member) {
        return volumeTemplate() + "-" + member;
    }

    /** The volume claim template of each set. */
    public String volumeTemplate() {
        return VOLUME;
    }

    /** The service by which members find each other. */
    public String peers() {
        return name + "-peers";
    }

    /** The NetworkPolicy of the peers that monitor it. */
    public String monitoring() {
        return name + "-monitoring";
    }

    /** The ConfigMap of the topology. */
    public String topology() {
        return name + "-topology";
    }

    /** The seat that a member has. */
    public static Seat seat(Member member) {
        return new Seat(member.zone(), ordinal(member.id()));
    }

    /** Whether it is named as members are. Who can label pods can label any. */
    public boolean isMember(String pod) {
        return MEMBER.matcher(pod).matches() && pod.startsWith(name + "-");
    }

    /** The ordinal in a pod's name. */
    public static int ordinal(String pod) {
        return Integer.parseInt(pod.substring(pod.lastIndexOf('-') + 1));
    }

    /** The zone of a pod, of these; empty if it is in none of them. */
    public Optional<String> zoneOf(String pod, Collection<String> zones) {
        String set = pod.substring(0, pod.lastIndexOf('-'));
        return zones.stream().filter(zone -> set(zone).equals(set)).findFirst();
    }

    /** The member that a pod is, in one of these zones. */
    public Member memberOf(String pod, Collection<String> zones) {
        String zone = zoneOf(pod, zones).orElse(Seat.NO_ZONE);
        return memberAt(new Seat(zone, ordinal(pod)), MemberState.ACTIVE, null);
    }

    /** The member at a seat, as the topology names it. */
    public Member memberAt(Seat seat, MemberState state, @Nullable UUID incarnation) {
        String id = member(seat);
        String host = id + "." + peers() + "." + namespace + ".svc";
        return new Member(id, address(host, API_PORT), address(host, PEER_PORT), seat.zone(), state, 1, incarnation);
    }

    private static URI address(String host, int port) {
        return URI.create("http://" + host + ":" + port);
    }
}
